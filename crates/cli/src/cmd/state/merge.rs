//! `unframe state merge`: several files become one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use unframe::store::{MemoryKind, Sites, Store, merge};
use unframe_console::atomic_file::partial_path;
use unframe_console::exit::{Exit, UsageError, say};
use unframe_report::numbers::count;

use super::{MergeArgs, kinds};

/// Memory for merged sites; above it, they are written to disk.
const MEMORY_BYTES: usize = 256 << 20;

pub fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    if args.out.exists() {
        let message = format!(
            "{} already exists; name a new file with -o",
            args.out.display()
        );
        return Err(UsageError(message).into());
    }
    let twice = args.files.iter().enumerate().find(|(at, file)| {
        let real = file.canonicalize().ok();
        let same = |other: &PathBuf| real.is_some() && other.canonicalize().ok() == real;
        args.files[..*at].iter().any(same)
    });
    if let Some((_, file)) = twice {
        let message = format!("{} is given twice; name each file once", file.display());
        return Err(UsageError(message).into());
    }
    // Open all inputs before writing anything.
    let stores = args
        .files
        .iter()
        .map(|path| Store::open_read_only(path))
        .collect::<Result<Vec<_>, _>>()?;
    for kind in kinds() {
        refuse_mixed(&stores, kind)?;
    }
    // Write to a temporary name first, so that `out` is always complete.
    let partial = partial_path(&args.out);
    let _ = fs::remove_file(&partial);
    let written = merge_into(&partial, &stores).and_then(|()| {
        let moved = fs::rename(&partial, &args.out);
        moved.with_context(|| format!("cannot rename the result to {}", args.out.display()))
    });
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written.map(|()| Exit::Done)
}

fn merge_into(path: &Path, stores: &[Store]) -> anyhow::Result<()> {
    let mut added = vec![0; stores.len()];
    for kind in kinds() {
        merge_method(path, stores, kind, &mut added)?;
    }
    for (store, added) in stores.iter().zip(added) {
        let from = store.path().display();
        say(format_args!("{from}: {} added\n", count(added, "page")));
    }
    Ok(())
}

fn merge_method(
    path: &Path,
    stores: &[Store],
    kind: MemoryKind,
    added: &mut [u64],
) -> anyhow::Result<()> {
    let mut sites = Sites::new(kind, Some(Store::open(path)?), MEMORY_BYTES)?;
    for (store, added) in stores.iter().zip(added) {
        *added += merge(&mut sites, store)?;
    }
    // The new file is small, whatever happens to compacting it.
    sites.finish()?;
    Ok(())
}

/// Memories that were learned with different parameters cannot be merged.
fn refuse_mixed(stores: &[Store], kind: MemoryKind) -> anyhow::Result<()> {
    let mut first: Option<(String, &Store)> = None;
    for store in stores {
        for (_, record) in store.sites(kind.method) {
            let mut memory = kind.create();
            if memory.load_head(&record.head).is_err() {
                continue;
            }
            let Some(ours) = memory.learned_with() else {
                continue;
            };
            let (theirs, from) = first.get_or_insert_with(|| (ours.into(), store));
            if ours != theirs {
                let message = format!(
                    "{} was learned with `{theirs}`, {} with `{ours}`; only states with \
                     the same parameters can be merged",
                    from.path().display(),
                    store.path().display(),
                );
                return Err(UsageError(message).into());
            }
        }
    }
    Ok(())
}
