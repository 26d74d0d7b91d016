//! Why each part of a page was kept or removed.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList, PySlice};
use unframe::page::Selector;
use unframe::render::{ExplainedRegion, Overlay, overlay};
use unframe::{CleanPage, Label};

use crate::values;
use crate::work::detached;

/// Why each part of a page was kept or removed: a sequence of regions, in the order of the page.
///
/// A region is a dict: ``text`` (its beginning), ``whole_text``, ``kept``, ``rule`` (the reason in words), ``css`` (the
/// element), ``start`` and ``end`` (bytes of the page), ``probability`` of being frame, ``seen`` (other pages
/// with the same text, of how many), and the ``evidence``. In a notebook it shows the page with the frame
/// tinted.
#[pyclass(frozen, sequence, module = "unframe")]
pub struct Explanation {
    page: CleanPage,
    name: String,
    all: Vec<ExplainedRegion>,
    /// Those that were asked for, as positions in `all`.
    chosen: Vec<usize>,
}

impl Explanation {
    /// Of a page that was explained; of the regions in elements that match `css`.
    pub fn new(page: CleanPage, name: String, css: Option<&Selector>) -> Explanation {
        let all = page.explained_regions();
        let inside = css.map(|css| css.inside(page.page().dom()));
        let is_chosen = |region: &ExplainedRegion| {
            inside.as_ref().is_none_or(|inside| {
                let mut texts = page.explanations()[region.texts.clone()].iter();
                texts.any(|text| inside[text.node as usize])
            })
        };
        let chosen = (0..all.len()).filter(|at| is_chosen(&all[*at])).collect();
        Explanation {
            page,
            name,
            all,
            chosen,
        }
    }

    fn region<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyAny>> {
        let region = &self.all[self.chosen[at]];
        let value = values::object(py, region)?;
        let dict = value.cast::<PyDict>()?;
        dict.set_item("kept", region.why.label == Label::Content)?;
        let whole = region.whole_text(self.page.page(), self.page.explanations());
        dict.set_item("whole_text", whole)?;
        Ok(value)
    }
}

#[pymethods]
impl Explanation {
    fn __len__(&self) -> usize {
        self.chosen.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if index.is_instance_of::<PySlice>() {
            return self.to_list(py)?.as_any().get_item(index);
        }
        let (index, length) = (index.extract::<isize>()?, self.chosen.len() as isize);
        let at = if index < 0 { index + length } else { index };
        if at < 0 || at >= length {
            return Err(PyIndexError::new_err(format!("there are {length} regions")));
        }
        self.region(py, at as usize)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_list(py)?.try_iter()
    }

    /// All regions as a list of dicts.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let regions = (0..self.chosen.len()).map(|at| self.region(py, at));
        PyList::new(py, regions.collect::<PyResult<Vec<_>>>()?)
    }

    /// The page as a standalone HTML document: every region tinted by its probability of being frame, with
    /// its reasons on a click. It runs no script of the page and loads nothing from its servers.
    fn overlay(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || {
            let options = Overlay {
                name: self.name.clone(),
                notes: self
                    .page
                    .flags()
                    .iter()
                    .map(|f| format!("{f}: {}", f.meaning()))
                    .collect(),
                ..Overlay::default()
            };
            overlay(
                self.page.page(),
                &self.all,
                self.page.explanations(),
                &options,
            )
        })
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let overlay = self.overlay(py)?;
        let escaped = overlay.replace('&', "&amp;").replace('"', "&quot;");
        Ok(format!(
            "<iframe sandbox=\"allow-scripts\" srcdoc=\"{escaped}\" \
             style=\"display:block;box-sizing:border-box;width:100%;height:32em;border:1px solid #8888;\
             background:#fff\"></iframe>"
        ))
    }

    fn __str__(&self) -> String {
        let lines = self.chosen.iter().map(|at| {
            let region = &self.all[*at];
            let label = match region.why.label {
                Label::Content => "kept   ",
                Label::Template => "removed",
            };
            format!("{label}  {}\n         {}", region.text, region.why.rule)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn __repr__(&self) -> String {
        format!("<unframe.Explanation of {} regions>", self.chosen.len())
    }
}
