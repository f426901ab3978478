//! kdbplus against a server: `kdbplus-client HOST PORT USER PASSWORD TYPES`.
//!
//! Its lines are as in qpython_client.py. The client compresses requests even to a local peer when
//! told so, which makes this also the test of compressed requests.

use std::future::Future;
use std::time::Duration;

use kdbplus::ipc::{ConnectionMethod, K, QStream};
use kdbplus::{qattribute, qtype};

const CHECK: &str = "{[text;x] $[x~v:value text;1b;'\"sent back \",.Q.s1[x],\" for \",text]}";
const ERROR: i8 = -128;

type Answer<T> = Result<T, String>;

fn text(value: &str) -> K {
    K::new_string(value.to_owned(), qattribute::NONE)
}

async fn check(name: &str, test: impl Future<Output = Answer<()>>) {
    match tokio::time::timeout(Duration::from_secs(30), test).await {
        Ok(Ok(())) => println!("ok {name}"),
        Ok(Err(problem)) => println!("not ok {name}: {}", problem.replace('\n', " ")),
        Err(_) => println!("not ok {name}: no answer in 30 s"),
    }
}

async fn ask(q: &mut QStream, message: &K) -> Answer<K> {
    let answer = q
        .send_sync_message(message)
        .await
        .map_err(|e| e.to_string())?;
    if answer.get_type() == ERROR {
        return Err(answer
            .get_error_string()
            .map_err(|e| e.to_string())?
            .to_owned());
    }
    Ok(answer)
}

fn same<T: PartialEq + std::fmt::Debug>(got: T, expected: T) -> Answer<()> {
    if got == expected {
        Ok(())
    } else {
        Err(format!("got {got:?}, expected {expected:?}"))
    }
}

fn long(value: &K) -> Answer<i64> {
    value.get_long().map_err(|e| e.to_string())
}

fn column<T: Clone + 'static>(table: &K, name: &str) -> Answer<Vec<T>> {
    let column = table.get_column(name).map_err(|e| e.to_string())?;
    column.as_vec::<T>().cloned().map_err(|e| e.to_string())
}

async fn sum(q: &mut QStream) -> Answer<()> {
    same(long(&ask(q, &text("1+1")).await?)?, 2)
}

async fn lambda(q: &mut QStream) -> Answer<()> {
    let message = K::new_compound_list(vec![text("{x+2*y}"), K::new_long(1), K::new_long(2)]);
    same(long(&ask(q, &message).await?)?, 5)
}

async fn table(q: &mut QStream) -> Answer<()> {
    let table = ask(q, &text("([]sym:`a`b;price:1.5 2.5)")).await?;
    same(table.get_type(), qtype::TABLE)?;
    same(
        column::<String>(&table, "sym")?,
        vec!["a".into(), "b".into()],
    )?;
    same(column::<f64>(&table, "price")?, vec![1.5, 2.5])
}

async fn keyed(q: &mut QStream) -> Answer<()> {
    let table = ask(q, &text("([sym:`a`b]price:1.5 2.5)")).await?;
    same(table.get_type(), qtype::DICTIONARY)?;
    let parts = table.as_vec::<K>().map_err(|e| e.to_string())?;
    same(column::<f64>(&parts[1], "price")?, vec![1.5, 2.5])
}

async fn callback(q: &mut QStream) -> Answer<()> {
    let message = K::new_compound_list(vec![text("{(neg .z.w)(`answer;x+1)}"), K::new_long(41)]);
    q.send_async_message(&message)
        .await
        .map_err(|e| e.to_string())?;
    let (kind, answer) = q.receive_message().await.map_err(|e| e.to_string())?;
    same(kind, 0)?;
    let parts = answer.as_vec::<K>().map_err(|e| e.to_string())?;
    same(long(&parts[1])?, 42)
}

async fn error(q: &mut QStream) -> Answer<()> {
    match ask(q, &text("1+`a")).await {
        Err(word) if word.starts_with("type") => sum(q).await,
        Err(word) => Err(word),
        Ok(_) => Err("no error".into()),
    }
}

async fn compressed(q: &mut QStream) -> Answer<()> {
    // Not larger: kdbplus 0.3.9 reads each piece of a message over the one before it.
    let table = ask(q, &text("-18!([]i:til 5000;s:5000#`a`b`c)")).await?;
    same(column::<i64>(&table, "i")?.iter().sum(), 12_497_500)
}

async fn compressed_request(host: &str, port: u16, who: &str) -> Answer<()> {
    let mut q = connect(host, port, who).await?;
    q.enforce_compression();
    let message = K::new_compound_list(vec![
        text("sum"),
        K::new_long_list((0..100_000).collect(), qattribute::NONE),
    ]);
    same(long(&ask(&mut q, &message).await?)?, 4_999_950_000)
}

async fn there_and_back(q: &mut QStream, expression: &str) -> Answer<()> {
    let value = ask(q, &text(expression)).await?;
    let message = K::new_compound_list(vec![text(CHECK), text(expression), value]);
    ask(q, &message).await.map(|_| ())
}

async fn connect(host: &str, port: u16, who: &str) -> Answer<QStream> {
    QStream::connect(ConnectionMethod::TCP, host, port, who)
        .await
        .map_err(|e| e.to_string())
}

async fn refused(host: &str, port: u16, who: &str) -> Answer<()> {
    match connect(host, port, who).await {
        Err(_) => Ok(()),
        Ok(_) => Err("a wrong password was accepted".into()),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (host, port) = (&arguments[1], arguments[2].parse().expect("a port"));
    let who = format!("{}:{}", arguments[3], arguments[4]);
    check("refused", refused(host, port, &format!("{who}x"))).await;
    let mut connection = connect(host, port, &who).await.expect("a connection");
    let q = &mut connection;
    println!("ok connect");
    check("1+1", sum(q)).await;
    check("lambda", lambda(q)).await;
    check("table", table(q)).await;
    check("keyed table", keyed(q)).await;
    check("callback", callback(q)).await;
    check("error", error(q)).await;
    check("compressed", compressed(q)).await;
    check("compressed request", compressed_request(host, port, &who)).await;
    let types = std::fs::read_to_string(&arguments[5]).expect("the list of types");
    for (name, expression) in types.lines().filter_map(|l| l.split_once('\t')) {
        check(&format!("type {name}"), there_and_back(q, expression)).await;
    }
}
