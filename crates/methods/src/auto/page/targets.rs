//! Hashes of the addresses that the links of a page lead to.

/// The target of each link, by the number of its element, in document order.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkTargets(Vec<(u32, u64)>);

impl LinkTargets {
    /// Adds the link of an element that comes after all others.
    pub fn push(&mut self, element: u32, target: u64) {
        self.0.push((element, target));
    }

    /// Removes the link of an element, if it has one and no later element has.
    pub fn remove_last(&mut self, element: u32) {
        if self.0.last().is_some_and(|(last, _)| *last == element) {
            self.0.pop();
        }
    }

    /// The target of an element.
    pub fn get(&self, element: &u32) -> Option<&u64> {
        let found = self.0.binary_search_by_key(element, |(link, _)| *link);
        found.ok().map(|at| &self.0[at].1)
    }

    /// Without spare capacity, because pages may be kept for long.
    pub fn into_exact(self) -> LinkTargets {
        LinkTargets(self.0.as_slice().into())
    }
}

impl<'a> IntoIterator for &'a LinkTargets {
    type Item = (&'a u32, &'a u64);
    type IntoIter =
        std::iter::Map<std::slice::Iter<'a, (u32, u64)>, fn(&'a (u32, u64)) -> (&'a u32, &'a u64)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(element, target)| (element, target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_found_by_their_elements() {
        let mut targets = LinkTargets::default();
        for (element, target) in [(2, 20), (5, 50), (7, 70)] {
            targets.push(element, target);
        }
        targets.remove_last(6);
        targets.remove_last(7);
        assert_eq!((targets.get(&2), targets.get(&5)), (Some(&20), Some(&50)));
        assert_eq!((targets.get(&3), targets.get(&7)), (None, None));
        assert_eq!((&targets).into_iter().count(), 2);
    }
}
