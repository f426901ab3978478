//! Column files of anybody: an error or a value whose every item can be looked at.
//!
//! The first byte says how much of the rest is the companion file.
#![no_main]

use database::Domains;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&cut, rest)) = bytes.split_first() else {
        return;
    };
    let (column, companion) = rest.split_at(rest.len() * usize::from(cut) / 256);
    let folder = std::env::temp_dir().join(format!("fuzz-column-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let path = folder.join("x");
    for (name, bytes) in [("x", column), ("x#", companion), ("x##", companion)] {
        std::fs::write(folder.join(name), bytes).expect("the folder was just made");
    }
    if let Ok(k) = database::read(&path, &Domains::new(&path)) {
        let count = k.count().min(1000);
        for i in 0..count {
            let _ = k.item(i);
        }
    }
    let _ = database::compression_of(&path);
    let _ = database::plain_size(&path);
});
