//! What is worked out of one page, without its site.
//!
//! A parsed page enters; an [`AutoView`](view::AutoView) leaves.
//!
//! | file | subject |
//! |---|---|
//! | `outline` | elements, texts and blocks in document order |
//! | `tags`, `class_names` | what an element is by its tag and role; by its classes and id |
//! | `text_key` | a text as it is compared: hash, statistics, words |
//! | `text_stats`, `char_class` | words, sentences, dates, prices of a text; classes of characters |
//! | `link_target`, `targets` | where a link leads: within the page, up, beside; hashes of the addresses |
//! | `head`, `title_overlap` | title and description of a page; which words of a block are in them |
//! | `subtree_stats` | sums over subtrees, and the likely main container |
//! | `page_context` | what only labels need: main containers, reading order, comments |
//! | `lists`, `key_values` | parts of the context: lists of siblings; labels with their values |
//! | `place_names` | the names of elements, for the memory |
//! | `view` | all that learning and labelling need of a page |

pub(super) mod char_class;
pub(super) mod class_names;
pub(super) mod head;
pub(super) mod key_values;
pub(super) mod link_target;
pub(super) mod lists;
pub(super) mod outline;
pub(super) mod page_context;
pub(super) mod place_names;
pub(super) mod subtree_stats;
pub(super) mod tags;
pub(super) mod targets;
pub(super) mod text_key;
pub(super) mod text_stats;
pub(super) mod title_overlap;
pub(super) mod view;
