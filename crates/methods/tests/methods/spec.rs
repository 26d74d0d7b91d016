//! Methods are written as they are read, and mistakes are answered with what is possible.

use unframe_methods::{ALL, MethodSpec};

#[test]
fn methods_are_spelled_as_they_are_read() {
    for text in [
        "text",
        "auto",
        "auto:arrival",
        "auto:remove=template",
        "auto:favor=recall",
        "auto:arrival,remove=template,favor=precision",
        "stream",
        "stream:arrival",
        "stream:arrival,df=3,ratio=0.5,tb=10,n=2,separators=modern",
        "stream:separators=div+p",
        "chunks",
        "chunks:preset=ma-2003a",
        "chunks:preset=ma-2003b,threshold=30%",
        "chunks:preset=ma-2003b",
        "chunks:preset=ma-2003b,no-dedup",
        "chunks:dedup",
        "chunks:threshold=3,key=path,sample=9,seed=7,images",
        "chunks:delimiters=table",
        "chunks:delimiters=div+p",
        "chunks:cluster=mdl",
        "stream:arrival,cluster=minmax",
        "mdl",
        "mdl:arrival",
        "mdl:preset=kim-shim",
        "mdl:preset=kim-shim,search=lsh",
        "mdl:mdl=seed",
        "links",
        "links:arrival,n=8,t=4",
        "links:preset=alarte-2014",
        "links:preset=alarte-best,t=5",
        "links:keep=30,wc=0.4,wp=0.3,pt=0.5,ids=all,page-attributes",
        "mdl:mode-rule=literal,no-room",
        "mdl:mode-rule=elements,search=estimate,exact-limit=9,hashes=64,bands=16",
    ] {
        assert_eq!(text.parse::<MethodSpec>().unwrap().to_string(), text);
    }
    for (text, shorter) in [
        ("chunks:preset=modern", "chunks"),
        (
            "chunks:preset=ma-2003a,no-images",
            "chunks:delimiters=table",
        ),
        ("chunks:delimiters=table+map", "chunks:preset=ma-2003b"),
        ("links:t=2,n=3", "links"),
    ] {
        assert_eq!(text.parse::<MethodSpec>().unwrap().to_string(), shorter);
    }
}

#[test]
fn a_preset_brings_what_belongs_to_it() {
    let dedup = |text: &str| text.parse::<MethodSpec>().unwrap().dedup;
    assert!(dedup("chunks:preset=ma-2003b"));
    assert!(!dedup("chunks:preset=ma-2003b,no-dedup"));
    assert!(!dedup("chunks:preset=ma-2003a"));
    assert!(dedup("chunks:dedup"));
}

#[test]
fn mistakes_are_answered_with_what_is_possible() {
    for (wrong, hint) in [
        ("magic", "there are auto, stream"),
        ("auto:df=4", "arrival, remove, favor and judge"),
        ("auto:remove=all", "`template`"),
        ("auto:favor=left", "`precision`"),
        (
            "auto:lean=precision",
            "for `lean=precision` write `favor=recall`",
        ),
        ("text:x", "no setting `x`"),
        ("stream:speed=9", "arrival, cluster, df"),
        ("stream:df=one", "`one` is not a number"),
        ("stream:df=1", "at least 2"),
        ("stream:separators=dvi", "`dvi`"),
        ("chunks:df=4", "preset, dedup, cluster, delimiters"),
        ("chunks:preset=ma", "modern, ma-2003a, ma-2003b"),
        ("chunks:threshold=many", "4 or 30%"),
        ("chunks:threshold=1", "at least 2"),
        ("chunks:sample=2", "at least the threshold"),
        ("chunks:key=url", "text, or path"),
        ("chunks:cluster=all", "none, minmax and mdl"),
        ("mdl:cluster=mdl", "preset, arrival"),
        ("links:df=4", "preset, arrival, n, t"),
        ("links:preset=old", "modern, alarte-2014, alarte-best"),
        ("links:t=4", "at most n"),
        ("links:n=some", "`some` is not a number"),
        ("links:texts=same", "structural, equal"),
        ("links:wc=0.9", "sum of the weights"),
        ("mdl:mdl=gamma", "seed, delta"),
        ("mdl:preset=ma-2003a", "modern, kim-shim"),
        ("mdl:arrival,search=lsh", "leave out arrival or `search`"),
        ("mdl:search=fast", "auto, exact, lsh, estimate"),
        ("mdl:hashes=many", "`many` is not a number"),
        ("mdl:hashes=100,bands=32", "multiple of bands"),
        ("stream:images=perhaps", "no setting `images`"),
        ("chunks:images=perhaps", "neither yes nor no"),
    ] {
        let error = wrong.parse::<MethodSpec>().unwrap_err();
        assert!(error.contains(hint), "{wrong}: {error}");
    }
}

/// The table is what flags, JSON and documentation are made of.
#[test]
fn every_parameter_is_documented_and_can_be_set_to_its_default() {
    for entry in ALL {
        for doc in entry.params() {
            let info = doc.info;
            assert!(info.help.len() > 10, "{} {}", entry.name, info.key);
            let Some(value) = doc.default.filter(|_| info.value.is_some()) else {
                continue;
            };
            let text = format!("{}:{}={}", entry.name, info.key, value.replace(',', "+"));
            let spec: MethodSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), entry.name, "{text}");
        }
        for (preset, help) in entry.presets() {
            assert!(help.len() > 10, "{} {preset}", entry.name);
            format!("{}:preset={preset}", entry.name)
                .parse::<MethodSpec>()
                .unwrap();
        }
    }
}
