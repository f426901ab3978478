//! Operators and words that need names, functions or the host: one branch for each `Operation`.

use primitives::{append, dictionary, random, search};
use values::{Data, K, Operation, Result, Signal, Symbol, Type, collect};

use crate::Evaluator;
use crate::apply::{only, partial, two};

impl Evaluator {
    /// Runs an operation; too few arguments give a projection of `f`, which is the operation.
    pub(crate) fn operate(&mut self, f: &K, operation: Operation, arguments: Vec<K>) -> Result<K> {
        use Operation::*;
        let n = arguments.len();
        match operation {
            Library(number) => return crate::library::run(self, f, number, arguments),
            Enlist => return Ok(collect(arguments)),
            At if n >= 2 => return self.at(arguments),
            Dot if n >= 2 => return self.dot(arguments),
            Bang if n == 4 => return self.functional_update(arguments),
            Query if n >= 3 => return self.query(arguments),
            Wj | Wj1 => return self.window_join(f, operation, arguments),
            Ssr => return self.replace(f, arguments),
            Dollar if n >= 3 => return self.cond_function(arguments),
            _ => {}
        }
        let unary = matches!(f, K::Primitive(p) if p.kind == 101);
        match (n, unary) {
            (1, true) => self.operate_one(operation, only(arguments)),
            (1, false) => Ok(partial(f, arguments, 2)),
            (2, false) => {
                let [x, y] = two(arguments);
                self.operate_two(operation, x, y)
            }
            _ => Err(Signal::rank().with_note(format!("given {n} arguments"))),
        }
    }

    fn operate_one(&mut self, operation: Operation, x: K) -> Result<K> {
        use Operation::*;
        match operation {
            Identity => Ok(x),
            Value | Get => self.value_word(x),
            Key => self.key(x),
            Flip => self.flip(x),
            Parse => self.parse_text(&x),
            Eval => self.eval(x),
            Reval => self.reval(x),
            System => self.system(&x),
            Exit => self.exit(&x),
            Getenv => self.getenv(&x),
            Hopen => self.hopen(&x),
            Hclose => self.hclose(&x),
            Hcount => self.hcount(&x),
            Hdel => self.hdel(&x),
            Hsym => hsym(&x),
            Read0 => self.read0(&x),
            Read1 => self.read1(&x),
            Load => self.load_variable(&x),
            Save => self.save_variable(&x),
            Rload => self.load_splayed(&x),
            Rsave => self.save_splayed(&x),
            Tables => self.tables(&x),
            Views => self.views(&x),
            View => self.view_text(&x),
            Cols | Keys | Meta | Fkeys => self.describe_table(operation, x),
            Rand => self.rand(x),
            String => {
                let x = self.loaded(x)?;
                Ok(text::string_with(&x, self.settings.precision))
            }
            Show => {
                let shown = self.show(&x);
                self.host.print(1, shown.as_bytes());
                Ok(K::Nil)
            }
            Ltime => self.shift_time(x, true),
            Gtime => self.shift_time(x, false),
            other => unreachable!("{other:?} takes two arguments"),
        }
    }

    fn operate_two(&mut self, operation: Operation, x: K, y: K) -> Result<K> {
        use Operation::*;
        match operation {
            Assign => Ok(y),
            At => self.apply(&x, vec![y]),
            Dot => self.apply_list(&x, &y),
            Comma => self.join(x, y),
            Bang => self.bang(x, y),
            Query => self.query_two(x, y),
            Dollar => self.dollar(x, y),
            FileText => self.file_text(&x, &y),
            FileBinary => self.file_binary(&x, &y),
            Dynamic => {
                Err(Signal::nyi()
                    .with_note("`2:` loads shared libraries, which is not supported here"))
            }
            Each | Peach => self.each(&x, vec![y]),
            Over | Scan | Prior => {
                let iterator = match operation {
                    Over => values::Iterator::Over,
                    Scan => values::Iterator::Scan,
                    _ => values::Iterator::Prior,
                };
                let derived = values::Derived {
                    iterator,
                    function: x,
                };
                self.apply_derived(&std::sync::Arc::new(derived), vec![y])
            }
            Set => self.set(&x, y),
            Setenv => self.setenv(&x, &y),
            Insert => self.insert(x, y),
            Upsert => self.upsert(x, y),
            Dsave => self.dsave(&x, &y),
            Fby => self.fby(x, y),
            Xkey | Xcol | Xcols | Xasc | Xdesc | Xgroup => self.table_verb(operation, x, y),
            other => unreachable!("{other:?} takes another count of arguments"),
        }
    }

    fn join(&mut self, x: K, y: K) -> Result<K> {
        let x = self.loaded(x)?;
        let y = self.loaded(y)?;
        append::append(x, y)
    }

    /// A stored table as a table in memory; other values as they are.
    pub(crate) fn loaded(&mut self, k: K) -> Result<K> {
        match &k {
            K::Stored(s) => Ok(K::from(s.load()?)),
            _ => Ok(k),
        }
    }

    /// `x!y`: dictionary, keyed table, enumeration from numbers, or an internal function.
    fn bang(&mut self, x: K, y: K) -> Result<K> {
        match (&x, &y) {
            (K::Long(n), _) if *n < 0 => self.internal(*n, y),
            (K::Int(n), _) if *n < 0 => self.internal(i64::from(*n), y),
            (K::Long(i64::MIN), _) => self.internal(i64::MIN, y),
            (K::Long(n), K::Symbol(name)) => {
                let table = self.table_named(*name)?;
                let keyed = rekey(*n, table)?;
                self.set_global(*name, keyed)?;
                Ok(y)
            }
            (K::Long(n), _) => {
                let y = self.loaded(y)?;
                rekey(*n, y)
            }
            (K::Int(n), _) => rekey(i64::from(*n), y),
            (K::Symbol(domain), _) if !y.is_atom() || y.as_long().is_some() => {
                self.enumeration_of(*domain, &y)
            }
            _ => dictionary::make(x, y),
        }
    }

    /// `` `sym!1 2``: an enumeration from its numbers.
    fn enumeration_of(&mut self, domain: Symbol, y: &K) -> Result<K> {
        let domain = self.link(domain)?;
        match y {
            K::Vector(v) => match &v.data {
                Data::I64(_) | Data::I32(_) if v.ty == Type::Long || v.ty == Type::Int => {
                    Ok(values::Vector::enumeration(domain, v.data.clone()).into())
                }
                _ => Err(Signal::ty().given(&[y])),
            },
            _ => {
                let index = y.as_long().ok_or_else(|| Signal::ty().given(&[y]))?;
                Ok(K::Enum(std::sync::Arc::new(values::EnumAtom {
                    domain,
                    index,
                })))
            }
        }
    }

    /// `x?y`: find, roll, deal, or an enumeration that extends its domain.
    fn query_two(&mut self, x: K, y: K) -> Result<K> {
        match &x {
            K::Symbol(s) => self.enumerate_extending(*s, y),
            K::Long(_) | K::Int(_) | K::Short(_) => {
                let n = x.as_long().expect("the type was just seen");
                let y = self.loaded(y)?;
                random::roll(&mut self.random, n, &y)
            }
            _ => {
                let x = self.loaded(x)?;
                search::find(x, y)
            }
        }
    }

    fn rand(&mut self, x: K) -> Result<K> {
        let picked = random::roll(&mut self.random, 1, &x)?;
        Ok(picked.item(0))
    }

    /// `?` of three arguments or more: vector conditional, select and exec.
    fn query(&mut self, arguments: Vec<K>) -> Result<K> {
        if let [c, x, y] = arguments.as_slice()
            && let K::Vector(v) = c
            && v.ty == Type::Boolean
        {
            return vector_cond(c, x, y);
        }
        if let [K::Boolean(c), x, y] = arguments.as_slice() {
            return Ok(if *c { x.clone() } else { y.clone() });
        }
        self.functional_select(arguments)
    }

    fn replace(&mut self, f: &K, arguments: Vec<K>) -> Result<K> {
        if arguments.len() < 3 {
            return Ok(partial(f, arguments, 3));
        }
        let [x, y, z]: [K; 3] = arguments.try_into().map_err(|_| Signal::rank())?;
        if let K::List(items) = &x {
            let each = items
                .iter()
                .map(|item| self.replace(f, vec![item.clone(), y.clone(), z.clone()]));
            return Ok(collect(each.collect::<Result<Vec<K>>>()?));
        }
        let text = x.as_chars().filter(|_| !x.is_atom());
        let (Some(text), Some(pattern)) = (text, y.as_chars()) else {
            return Err(Signal::ty().given(&[&x, &y, &z]));
        };
        if let Some(with) = z.as_chars() {
            return Ok(K::chars(primitives::pattern::replace(text, pattern, with)?));
        }
        let mut out = Vec::new();
        let mut from = 0;
        for (start, end) in primitives::pattern::found(text, pattern)? {
            out.extend_from_slice(&text[from..start]);
            let with = self.apply(&z, vec![K::chars(&text[start..end])])?;
            out.extend_from_slice(
                with.as_chars()
                    .ok_or_else(|| Signal::ty().given(&[&with]))?,
            );
            from = end;
        }
        out.extend_from_slice(&text[from..]);
        Ok(K::chars(out))
    }

    fn shift_time(&mut self, x: K, to_local: bool) -> Result<K> {
        let shift = |utc: i64| {
            let offset = self.host.offset(utc);
            if to_local { utc + offset } else { utc - offset }
        };
        match &x {
            K::Timestamp(t) if *t != i64::MIN => Ok(K::Timestamp(shift(*t))),
            K::Timestamp(_) => Ok(x),
            K::Vector(v) if v.ty == Type::Timestamp => {
                let cells = x.cells::<i64>().expect("timestamps are stored as i64");
                let moved: Vec<i64> = cells
                    .iter()
                    .map(|&t| if t == i64::MIN { t } else { shift(t) })
                    .collect();
                Ok(K::vector(Type::Timestamp, Data::I64(moved.into())))
            }
            K::List(items) => {
                let each = items.iter().map(|k| self.shift_time(k.clone(), to_local));
                Ok(collect(each.collect::<Result<Vec<K>>>()?))
            }
            _ => Err(Signal::ty().given(&[&x])),
        }
    }
}

/// `n!t`: key on the first n columns, 0 to unkey.
fn rekey(n: i64, t: K) -> Result<K> {
    match n {
        0 => dictionary::unkey(t),
        n => dictionary::enkey(n, t),
    }
}

/// `?[c;x;y]`: item by item.
fn vector_cond(c: &K, x: &K, y: &K) -> Result<K> {
    let conditions = c.cells::<u8>().expect("booleans are stored as bytes");
    let n = conditions.len();
    for k in [x, y] {
        if !k.is_atom() && k.is_list() && k.count() != n {
            return Err(Signal::length().given(&[c, x, y]));
        }
    }
    if let Some(r) = vector_cond_cells(conditions, x, y) {
        return Ok(r);
    }
    let pick = |i: usize| {
        let from = if conditions[i] != 0 { x } else { y };
        if from.is_list() {
            from.item(i)
        } else {
            from.clone()
        }
    };
    let result = collect((0..n).map(pick).collect());
    match (n, x.is_list()) {
        (0, true) => Ok(x.slice(0, 0)),
        _ => Ok(result),
    }
}

/// The same for two vectors of one type, without a value for each item.
fn vector_cond_cells(conditions: &[u8], x: &K, y: &K) -> Option<K> {
    let (K::Vector(a), K::Vector(b)) = (x, y) else {
        return None;
    };
    if a.ty != b.ty || a.domain.is_some() || b.domain.is_some() {
        return None;
    }
    fn pick<T: values::Element>(conditions: &[u8], a: &[T], b: &Data) -> Option<Data> {
        let b = T::cells(b)?;
        let cells: Vec<T> = (0..conditions.len())
            .map(|i| if conditions[i] != 0 { a[i] } else { b[i] })
            .collect();
        Some(T::wrap(cells.into()))
    }
    let data = values::each_storage!(&a.data, cells => pick(conditions, cells, &b.data))?;
    Some(K::vector(a.ty, data))
}

/// `hsym`: symbols with a colon in front.
fn hsym(x: &K) -> Result<K> {
    let mark = |s: Symbol| match s.bytes().first() {
        Some(b':') => s,
        _ => Symbol::new([b":", s.bytes()].concat()),
    };
    match x {
        K::Symbol(s) => Ok(K::Symbol(mark(*s))),
        _ => match x.as_symbols() {
            Some(all) => Ok(K::symbols(all.into_iter().map(mark).collect())),
            None => Err(Signal::ty().given(&[x])),
        },
    }
}
