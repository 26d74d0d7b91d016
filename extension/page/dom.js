// The DOM as it is. A page can hide properties of its forms and of its document behind fields of the same name
// (`<input name="attributes">`), so they are asked of their prototypes.

globalThis.unframePage.dom ??= (() => {
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (object) => get.call(object);
  };
  const method = (type, name) => {
    const its = type.prototype[name];
    return (object, ...values) => its.apply(object, values);
  };
  const caretPosition = Document.prototype.caretPositionFromPoint && method(Document, "caretPositionFromPoint");
  const caretRange = Document.prototype.caretRangeFromPoint && method(Document, "caretRangeFromPoint");
  const isEditable = getter(HTMLElement, "isContentEditable");

  return {
    /** The attribute by which elements are shown and hidden. */
    MARK: "unframe-mark",
    ELEMENT: 1,
    TEXT: 3,
    CDATA: 4,
    HTML: "http://www.w3.org/1999/xhtml",

    kind: getter(Node, "nodeType"),
    firstChild: getter(Node, "firstChild"),
    nextSibling: getter(Node, "nextSibling"),
    parent: getter(Node, "parentNode"),
    append: method(Node, "appendChild"),
    name: getter(Element, "localName"),
    namespace: getter(Element, "namespaceURI"),
    attributes: getter(Element, "attributes"),
    attribute: method(Element, "getAttribute"),
    setAttribute: method(Element, "setAttribute"),
    removeAttribute: method(Element, "removeAttribute"),
    isVisible: method(Element, "checkVisibility"),
    box: method(Element, "getBoundingClientRect"),
    /** Whether the user may be writing in it. */
    isEdited: (element) => element instanceof HTMLElement && isEditable(element),
    root: getter(Document, "documentElement"),
    contentType: getter(Document, "contentType"),
    compatMode: getter(Document, "compatMode"),
    all: method(Document, "querySelectorAll"),
    showPopover: method(HTMLElement, "showPopover"),
    create: method(Document, "createElement"),
    listen: method(EventTarget, "addEventListener"),
    unlisten: method(EventTarget, "removeEventListener"),
    /** The text that is nearest to a point. */
    textNear(document, x, y) {
      if (caretPosition) return caretPosition(document, x, y)?.offsetNode;
      return caretRange?.(document, x, y)?.startContainer;
    },
  };
})();
