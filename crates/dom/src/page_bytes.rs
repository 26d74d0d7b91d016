//! The bytes of a page, from whoever holds them.

use std::fmt;
use std::ops::Deref;

use bytes::Bytes;

/// The bytes of a page. They are shared, not copied: clones, the parsed page and its tree all refer to the
/// same memory, which may belong to somebody else (see [`of_owner`](PageBytes::of_owner)).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PageBytes(Bytes);

impl PageBytes {
    /// Bytes that stay where they are, such as those of another language's string.
    ///
    /// ```
    /// use unframe_dom::PageBytes;
    ///
    /// let page = PageBytes::of_owner(Box::<[u8]>::from(*b"<p>hello"));
    /// assert_eq!(&page[..], b"<p>hello");
    /// ```
    pub fn of_owner(owner: impl AsRef<[u8]> + Send + 'static) -> PageBytes {
        PageBytes(Bytes::from_owner(owner))
    }

    /// Leaves out everything after the first `length` bytes.
    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// A part of the bytes, which is not copied, either.
    ///
    /// # Panics
    ///
    /// If the range is not inside the bytes.
    pub fn slice(&self, range: std::ops::Range<usize>) -> PageBytes {
        PageBytes(self.0.slice(range))
    }

    pub(crate) fn into_bytes(self) -> Bytes {
        self.0
    }
}

impl Deref for PageBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for PageBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for PageBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Bytes> for PageBytes {
    fn from(bytes: Bytes) -> Self {
        PageBytes(bytes)
    }
}

impl From<PageBytes> for Bytes {
    fn from(bytes: PageBytes) -> Self {
        bytes.0
    }
}

impl From<Vec<u8>> for PageBytes {
    fn from(bytes: Vec<u8>) -> Self {
        PageBytes(bytes.into())
    }
}

impl From<String> for PageBytes {
    fn from(text: String) -> Self {
        PageBytes(text.into())
    }
}

impl From<&[u8]> for PageBytes {
    fn from(bytes: &[u8]) -> Self {
        PageBytes(Bytes::copy_from_slice(bytes))
    }
}

impl<const N: usize> From<&[u8; N]> for PageBytes {
    fn from(bytes: &[u8; N]) -> Self {
        bytes[..].into()
    }
}

impl From<&str> for PageBytes {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl From<&String> for PageBytes {
    fn from(text: &String) -> Self {
        text.as_bytes().into()
    }
}

impl From<&Vec<u8>> for PageBytes {
    fn from(bytes: &Vec<u8>) -> Self {
        bytes[..].into()
    }
}
