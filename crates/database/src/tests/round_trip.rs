//! What is written is read back, plain and compressed, whole and appended to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use values::{Attribute, Data, Domain, K, StoredTable, Symbol, Table, Type, Vector, null};

use super::no_primitives;
use crate::*;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("database-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn names(text: &str) -> Vec<Symbol> {
    text.split(' ').map(Symbol::from).collect()
}

fn get(path: &Path) -> K {
    read(path, &Domains::new(path)).unwrap()
}

fn sym(items: &str) -> Arc<Domain> {
    Domain::new(Symbol::new("sym"), K::symbols(names(items)))
}

fn enumerated(domain: &Arc<Domain>, numbers: Vec<i64>) -> K {
    Vector::enumeration(domain.clone(), Data::I64(numbers.into())).into()
}

fn trades(domain: &Arc<Domain>) -> K {
    let sym = Vector::enumeration(domain.clone(), Data::I64(vec![0, 0, 1, null::LONG].into()));
    let sym = sym.with_attribute(Attribute::Parted);
    K::table(
        names("sym price note tag"),
        vec![
            sym.into(),
            K::floats(vec![1.5, f64::NAN, 2.5, -1.0]),
            K::list(vec![
                K::chars("a"),
                K::chars(""),
                K::chars("long one"),
                K::chars("b"),
            ]),
            K::list(vec![
                K::Long(1),
                K::chars("x"),
                K::empty(),
                K::floats(vec![1.0]),
            ]),
        ],
    )
}

#[test]
fn every_type_of_vector_and_object() {
    let folder = Folder::new("types");
    let mut all: Vec<K> = vec![
        K::Long(42),
        K::symbol("a"),
        K::symbols(names("b a c")),
        K::empty(),
        K::list(vec![K::chars("abc"), K::Long(1)]),
        K::dict(K::symbols(names("a b")), K::longs(vec![1, 2])),
        K::table(
            names("a b"),
            vec![K::longs(vec![1, 2]), K::symbols(names("x y"))],
        ),
    ];
    for ty in Type::ALL {
        if ty != Type::Enum {
            all.push(K::empty_of(ty));
            all.push(values::collect(vec![K::null_of(ty); 3]));
        }
    }
    for (i, k) in all.iter().enumerate() {
        let path = folder.0.join(format!("deep/er/{i}"));
        write(&path, k, None).unwrap();
        assert_eq!(get(&path), *k);
    }
}

#[test]
fn splayed_tables_come_back_with_their_attributes() {
    let folder = Folder::new("splayed");
    let all = extend_sym(&folder.0, "sym", &names("b a")).unwrap();
    assert_eq!(all, names("b a"));
    let table = trades(&sym("b a"));
    let path = folder.0.join("t/");
    write(&path, &table, None).unwrap();
    assert_eq!(get(&path), table);
    assert_eq!(get(&folder.0.join("t")), table);
    let K::Table(t) = get(&path) else {
        panic!("a table")
    };
    assert_eq!(t.columns[0].attribute(), Attribute::Parted);
    assert_eq!(t.columns[0].item(0).as_symbol(), Some(Symbol::new("b")));
    append(&path, &table).unwrap();
    let K::Table(twice) = get(&path) else {
        panic!("a table")
    };
    assert_eq!(twice.rows(), 8);
    assert_eq!(twice.columns[0].attribute(), Attribute::None);
    assert_eq!(K::from(Table::clone(&twice)).slice(4, 4), table);
    let row = table.item(1);
    append(&path, &row).unwrap();
    assert_eq!(get(&path).count(), 9);
}

#[test]
fn columns_that_are_not_enumerated_are_refused() {
    let folder = Folder::new("refused");
    let table = K::table(names("a"), vec![K::symbols(names("x"))]);
    let e = write(&folder.0.join("t/"), &table, None).unwrap_err();
    assert_eq!(e.word(), "type");
    assert!(!folder.0.join("t").exists());
    let keyed = K::dict(table.clone(), table);
    assert_eq!(
        write(&folder.0.join("t/"), &keyed, None)
            .unwrap_err()
            .word(),
        "type"
    );
}

#[test]
fn every_algorithm_of_compression() {
    let folder = Folder::new("compressed");
    let longs = K::longs((0..50_000).map(|i| i / 7).collect());
    for algorithm in 1..=5 {
        let compression = Compression {
            block: 14,
            algorithm,
            level: 5,
        };
        let path = folder.0.join(format!("v{algorithm}"));
        write(&path, &longs, Some(compression)).unwrap();
        let facts = compression_of(&path).unwrap().unwrap();
        assert_eq!(
            (facts.plain, facts.algorithm, facts.block),
            (400_016, algorithm, 14)
        );
        assert!(facts.compressed < 300_000, "{facts:?}");
        assert_eq!(plain_size(&path).unwrap(), 400_016);
        assert_eq!(get(&path), longs);
        append(&path, &K::longs(vec![5])).unwrap();
        assert_eq!(get(&path).item(50_000), K::Long(5));
        assert_eq!(compression_of(&path).unwrap().unwrap().algorithm, algorithm);
        let bytes = fs::read(&path).unwrap();
        for i in (0..bytes.len())
            .step_by(997)
            .chain(bytes.len() - 80..bytes.len())
        {
            let mut changed = bytes.clone();
            changed[i] ^= 0xa5;
            fs::write(folder.0.join("x"), changed).unwrap();
            let _ = read(&folder.0.join("x"), &Domains::new(&folder.0));
        }
    }
    let table = trades(&sym("b a"));
    extend_sym(&folder.0, "sym", &names("b a")).unwrap();
    let c = Compression {
        block: 17,
        algorithm: 2,
        level: 6,
    };
    write(&folder.0.join("t/"), &table, Some(c)).unwrap();
    assert_eq!(get(&folder.0.join("t/")), table);
    append(&folder.0.join("t/"), &table).unwrap();
    assert_eq!(get(&folder.0.join("t/")).count(), 8);
}

#[test]
fn sorted_vectors_stay_sorted_while_they_are() {
    let folder = Folder::new("sorted");
    let path = folder.0.join("v");
    let v = Vector::new(Type::Long, Data::I64(vec![1, 2].into()));
    write(&path, &v.with_attribute(Attribute::Sorted).into(), None).unwrap();
    let before = get(&path);
    append(&path, &K::longs(vec![2, 3])).unwrap();
    assert_eq!(get(&path).attribute(), Attribute::Sorted);
    append(&path, &K::longs(vec![0])).unwrap();
    assert_eq!(get(&path).attribute(), Attribute::None);
    assert_eq!(get(&path), K::longs(vec![1, 2, 2, 3, 0]));
    assert_eq!(before, K::longs(vec![1, 2]));
    assert_eq!(append(&path, &K::chars("x")).unwrap_err().word(), "type");
}

#[test]
fn the_sym_file_only_grows() {
    let folder = Folder::new("sym");
    assert_eq!(
        extend_sym(&folder.0, "sym", &names("c a c")).unwrap(),
        names("c a")
    );
    let path = folder.0.join("sym");
    let mut bytes = fs::read(&path).unwrap();
    // A crash in the middle of a symbol, and a count that was never updated.
    bytes.extend(b"hal");
    bytes[4] = 0;
    fs::write(&path, bytes).unwrap();
    let wanted = vec![Symbol::NULL, Symbol::new("b"), Symbol::new("a")];
    assert_eq!(
        extend_sym(&folder.0, "sym", &wanted).unwrap(),
        names("c a b")
    );
    assert_eq!(get(&path), K::symbols(names("c a b")));
    assert_eq!(fs::read(&path).unwrap()[4], 3);
}

fn partition(root: &Path, name: &str, table: &K) {
    write(&root.join(name).join("t/"), table, None).unwrap();
}

#[test]
fn partitions_with_gaps() {
    let folder = Folder::new("partitions");
    let domain = sym("b a");
    extend_sym(&folder.0, "sym", &names("b a")).unwrap();
    let old = K::table(names("a"), vec![K::longs(vec![1, 2])]);
    let new = K::table(
        names("a s n"),
        vec![
            K::longs(vec![3]),
            enumerated(&domain, vec![1]),
            K::list(vec![K::chars("x")]),
        ],
    );
    partition(&folder.0, "2024.01.02", &new);
    partition(&folder.0, "2024.01.01", &old);
    fs::create_dir_all(folder.0.join("2023.12.31")).unwrap();
    fs::write(folder.0.join("README.md"), "not of q, and no harm").unwrap();
    fs::write(folder.0.join("init.q"), "a:1").unwrap();
    write(&folder.0.join("flat"), &K::longs(vec![7]), None).unwrap();
    write(&folder.0.join("s/"), &old, None).unwrap();
    let opened = open(&folder.0, no_primitives).unwrap();
    let variables: Vec<Symbol> = opened.variables.iter().map(|(n, _)| *n).collect();
    assert_eq!(variables, names("flat sym"));
    assert_eq!(opened.scripts.len(), 1);
    assert_eq!(opened.skipped.len(), 1);
    let tables: Vec<Symbol> = opened.tables.iter().map(|(n, _)| *n).collect();
    assert_eq!(tables, names("s t"));
    let partitions = opened.partitions.unwrap();
    assert_eq!(
        partitions.values.items(),
        [K::Date(8765), K::Date(8766), K::Date(8767)]
    );
    assert_eq!(partitions.tables, names("t"));
    let t = opened.tables[1]
        .1
        .as_any()
        .downcast_ref::<Partitioned>()
        .unwrap();
    assert_eq!(t.names(), names("date a s n"));
    assert_eq!(
        (0..3).map(|i| t.rows_in(i).unwrap()).collect::<Vec<_>>(),
        [0, 2, 1]
    );
    let part = t.partition(1).unwrap();
    assert_eq!(
        part.column(Symbol::new("s")).unwrap(),
        K::symbols(vec![Symbol::NULL; 2])
    );
    assert_eq!(
        part.column(Symbol::new("n")).unwrap(),
        K::list(vec![K::chars(""); 2])
    );
    assert_eq!(
        t.partition(0).unwrap().column(Symbol::new("a")).unwrap(),
        K::longs(vec![])
    );
    assert_eq!(t.column(Symbol::new("a")).unwrap_err().word(), "par");
    assert_eq!(t.column_type(Symbol::new("date")).unwrap(), b'd');
    let written = fill_missing(&folder.0).unwrap();
    assert_eq!(written.iter().filter(|(_, w)| *w).count(), 1);
    assert_eq!(get(&folder.0.join("2023.12.31/t/")).count(), 0);
}

#[test]
fn segments_share_their_partitions() {
    let folder = Folder::new("segments");
    let t = K::table(names("a"), vec![K::longs(vec![1, 2])]);
    for (segment, value) in [("one", "7"), ("two", "12"), ("one", "9")] {
        partition(&folder.0.join(segment), value, &t);
    }
    let lines = format!("{0}/one\n{0}/two\n", folder.0.display());
    fs::create_dir_all(folder.0.join("root")).unwrap();
    fs::write(folder.0.join("root/par.txt"), lines).unwrap();
    let opened = open(&folder.0.join("root"), no_primitives).unwrap();
    let p = opened.partitions.unwrap();
    assert_eq!(p.field, Symbol::new("int"));
    assert_eq!(p.values, K::ints(vec![7, 9, 12]));
    assert_eq!(p.segments.len(), 2);
    assert_eq!(
        p.segment_values.items(),
        [K::ints(vec![7, 9]), K::ints(vec![12])]
    );
    assert_eq!(p.directories[2], p.segments[1]);
    assert_eq!(opened.tables[0].1.rows().unwrap(), 6);
}

#[test]
fn years_months_and_ints_are_told_apart() {
    for (folders, field) in [
        (["2019", "2020"], "year"),
        (["2019.11", "2020.01"], "month"),
        (["2019", "20200"], "int"),
        (["2019.02.28", "2020.02.29"], "date"),
    ] {
        let folder = Folder::new(field);
        for name in folders {
            partition(
                &folder.0,
                name,
                &K::table(names("a"), vec![K::longs(vec![1])]),
            );
        }
        let p = open(&folder.0, no_primitives).unwrap().partitions.unwrap();
        assert_eq!(p.field, Symbol::new(field));
        let expected = match field {
            "month" => K::Month(240),
            "date" => K::Date(7364),
            "year" => K::Int(2020),
            _ => K::Int(20200),
        };
        assert_eq!(p.values.item(1), expected);
    }
}

#[test]
fn logs_end_where_a_message_is_cut() {
    let folder = Folder::new("log");
    let path = folder.0.join("log");
    write(&path, &K::empty(), None).unwrap();
    let message = K::list(vec![K::symbol("upd"), K::symbol("t"), K::longs(vec![1, 2])]);
    let mut bytes = fs::read(&path).unwrap();
    assert_eq!(bytes, [0xff, 1, 0, 0, 0, 0, 0, 0]);
    for _ in 0..3 {
        serial::encode_to(&mut bytes, &message, 3).unwrap();
    }
    fs::write(&path, &bytes).unwrap();
    let lookup = |_: i8, _: u8| None;
    let mut log = Log::open(&path, &lookup).unwrap();
    assert_eq!(log.next_message().unwrap(), Some(message.clone()));
    assert_eq!(log.check().unwrap(), (2, bytes.len(), true));
    assert_eq!(get(&path), K::list(vec![message; 3]));
    fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let mut log = Log::open(&path, &lookup).unwrap();
    let (count, size, whole) = log.check().unwrap();
    assert_eq!((count, whole), (2, false));
    assert!(size < bytes.len() - 5);
    assert_eq!(log.next_message().unwrap_err().word(), "badtail");
}

#[test]
fn files_that_are_not_there_or_not_of_q() {
    let folder = Folder::new("missing");
    let path = folder.0.join("none");
    let e = read(&path, &Domains::new(&path)).unwrap_err();
    assert_eq!(
        e.word(),
        format!("{}. OS reports: No such file or directory", path.display())
    );
    for bytes in [
        &b""[..],
        b"\xfe",
        b"\xfe\x20\x07\x00",
        b"text that is long enough for a header",
    ] {
        write_bytes(&path, bytes).unwrap();
        let e = read(&path, &Domains::new(&path)).unwrap_err();
        assert_eq!(e.word(), path.display().to_string());
        assert!(e.note().is_some());
    }
    assert_eq!(read_bytes(&path, 5, Some(4)).unwrap(), b"that");
    assert_eq!(read_bytes(&path, 500, None).unwrap(), b"");
    assert!(
        read(&folder.0, &Domains::new(&folder.0))
            .unwrap_err()
            .word()
            .contains("/.d. OS")
    );
}
