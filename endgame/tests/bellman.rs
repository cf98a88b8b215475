//! The verifier: what is sound passes, what is not is found.

mod common;

use chuhe_endgame::{Extent, FileError, Tables, build_in_memory, verify};
use chuhe_movegen::Board;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[test]
fn every_position_of_small_classes_agrees_with_those_one_move_ahead() {
    let tables = common::built("RvAA CAvA PPv NvBB RvP NvP");
    for info in tables.infos() {
        let report = verify(&tables, info.class, Extent::Full, &|_| ()).unwrap();
        let legal: u32 = info.counts.iter().map(|counts| counts.legal).sum();
        assert!(report.is_sound(), "{}: {:?}", info.class, report.faults);
        assert_eq!(report.positions, u64::from(legal), "{}", info.class);
    }
}

#[test]
fn samples_of_the_embedded_tables_agree_with_those_one_move_ahead() {
    let tables = Tables::embedded();
    for info in tables.infos() {
        let report = verify(&tables, info.class, Extent::Sample(3000), &|_| ()).unwrap();
        assert!(report.is_sound() && report.positions > 1000, "{}: {:?}", info.class, report.faults);
    }
}

/// A changed file with a right checksum, as no accident makes it.
fn forged(file: &[u8], change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = file[..file.len() - 8].to_vec();
    change(&mut bytes);
    let sum = twox_hash::XxHash3_64::oneshot(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[test]
fn a_wrong_table_is_found_out() {
    // Rook against bare king, under the header of horse against bare king: sizes agree, values do not.
    let files = build_in_memory(&common::classes("Nv Rv"), &()).unwrap();
    let [horse, rook] = &files[..] else { panic!("two classes") };
    let swapped = forged(rook, |bytes| bytes[12..20].copy_from_slice(&horse[12..20]));
    let tables = Tables::from_files(vec![swapped]).unwrap();
    let report = verify(&tables, common::classes("Nv")[0], Extent::Full, &|_| ()).unwrap();
    assert!(!report.is_sound() && report.wrong > 100, "{report:?}");
    assert!(report.faults.len() <= 10 && report.faults[0].to_string().contains("the table says"));
}

#[test]
fn a_missing_conversion_is_told() {
    let files = build_in_memory(&common::classes("RvA"), &()).unwrap();
    let tables = Tables::from_files(vec![files[1].clone()]).unwrap();
    let error = verify(&tables, common::classes("RvA")[0], Extent::Full, &|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "KRvKA cannot be solved before KRvK");
}

#[test]
fn damaged_files_are_rejected_with_the_reason() {
    let file = build_in_memory(&common::classes("Rv"), &()).unwrap().remove(0);
    let reject = |bytes: Vec<u8>| Tables::from_files(vec![bytes]).unwrap_err();
    assert_eq!(reject(Vec::new()), FileError::NotATable);
    assert_eq!(reject(b"CHUHEEGS".to_vec()), FileError::NotATable);
    assert_eq!(reject(forged(&file, |bytes| bytes[8] = 9)), FileError::Version { found: 9 });
    for length in [20, 80, file.len() / 2, file.len() - 1] {
        let error = reject(file[..length].to_vec());
        assert!(matches!(error, FileError::Truncated { .. }), "{length}: {error}");
    }
    for at in [10, 30, 61, file.len() / 2, file.len() - 1] {
        let mut bytes = file.clone();
        bytes[at] ^= 1;
        assert_eq!(reject(bytes), FileError::Checksum, "{at}");
    }
    assert!(matches!(reject(forged(&file, |bytes| bytes[12] = 15)), FileError::Header(_)));
    assert!(matches!(reject(forged(&file, |bytes| bytes[20] ^= 1)), FileError::Header(_)));
    let mut longer = file.clone();
    longer.push(0);
    assert_eq!(reject(longer), FileError::Checksum);
    assert!(matches!(reject(forged(&file, |bytes| bytes.push(0))), FileError::Header(_)));
}

#[test]
fn no_change_of_a_file_brings_probing_down() {
    let file = build_in_memory(&common::classes("PvP"), &()).unwrap().pop().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let board = Board::from_fen("3k5/9/9/4P4/9/9/9/2p6/9/4K4 w").unwrap();
    let mut read = 0;
    for _ in 0..400 {
        // In the header and the lengths of blocks more often than elsewhere.
        let end = if rng.random_bool(0.5) { 120 } else { file.len() - 8 };
        let (at, byte) = (rng.random_range(0..end), rng.random());
        if let Ok(tables) = Tables::from_files(vec![forged(&file, |bytes| bytes[at] = byte)]) {
            let _ = tables.probe(&board);
            read += 1;
        }
    }
    assert!(read > 100, "{read}");
}
