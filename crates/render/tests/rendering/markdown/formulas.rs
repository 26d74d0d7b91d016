//! Formulas.

use super::check;

#[test]
fn formulas() {
    check(&[
        (
            "<math><mi>a</mi><annotation encoding='application/x-tex'>{\\displaystyle a_1}</annotation></math> b $5",
            "$a_1$ b \\$5",
        ),
        (
            "<math display=block alttext='a*b'><mi>a</mi></math>",
            "$$a*b$$",
        ),
        ("<math><msup><mi>a</mi><mn>2</mn></msup></math>", "a^2"),
        (
            "a <span class=MathJax>drawn</span><script type='math/tex; mode=display'>b_1</script> c",
            "a $$b_1$$ c",
        ),
        (
            "<span class=katex><math><annotation encoding='application/x-tex'>a</annotation></math>\
             <span class=katex-html>drawn</span></span>",
            "$a$",
        ),
        ("a \\(b_1\\) c \\[d*e\\]", "a $b_1$ c $$d*e$$"),
        ("costs $5 or $6", "costs $5 or $6"),
        (
            "<script src=mathjax.js></script>for $a_1$ of $5",
            "for $a_1$ of \\$5",
        ),
        ("<p>x<math alttext=a></math></p>b", "b"),
        (
            "<script src=mathjax.js></script>\\$a_1\\$ <p>$\\begingroup$b$\\endgroup$",
            "$a_1$\n\nb",
        ),
    ]);
}

#[test]
fn images_of_formulas() {
    check(&[
        ("<img class=math alt='a_1'>", "$a_1$"),
        (
            "<div class=math><p><img class=math alt='a_1'></div>",
            "$$a_1$$",
        ),
        (
            "a <img class=latex src='https://s0.wp.com/latex.php?latex=b' alt='b^2'> c",
            "a $b^2$ c",
        ),
        (
            "a <img src='https://s0.wp.com/latex.php?latex=b' alt='b^2'>",
            "a $b^2$",
        ),
        (
            "a <img class=mwe-math-fallback-image-inline alt='{\\displaystyle b^2}'> for $5",
            "a $b^2$ for \\$5",
        ),
        (
            "<img class=mwe-math-fallback-image-display alt='b'>",
            "$$b$$",
        ),
        ("<img class=tex alt='b'>", "$b$"),
        // The same formula as MathML and as an image.
        (
            "<span><span><math alttext='b'></math></span><img class=mwe-math-fallback-image-inline alt='b'></span>",
            "$b$",
        ),
        ("<img class=photo alt='b'>a", "a"),
    ]);
}
