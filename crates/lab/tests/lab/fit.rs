//! `unframe-lab fit`: a model file from labelled sites.

use crate::args;
use crate::harness::*;

#[test]
fn wrong_use_is_refused() {
    let folder = Folder::new();
    let out = folder.path("model.txt");
    for (args, hint) in [
        (args!["fit"].to_vec(), "CORPORA"),
        (args!["fit", folder.path("missing")].to_vec(), "--out"),
        (
            args!["fit", folder.path("missing"), "-o", out].to_vec(),
            "unframe-lab: ",
        ),
        (
            args!["fit", "x", "-o", out, "--quick", "--plot", "p.svg"].to_vec(),
            "cannot be used with",
        ),
    ] {
        run(args).expect(2).says(&[hint]);
    }
    assert!(!out.exists());
}
