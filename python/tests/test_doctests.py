"""The docstrings: all public objects have one, its examples work, and its arguments are those of the signature."""

import doctest
import inspect
import pydoc
import re
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow
import pytest
import unframe
from unframe import _native

# What users pass by position: the data. Everything else is keyword-only.
DATA = {"html", "url", "pages", "paths", "table", "path", "data", "other", "site", "args"}

# Where `site` is a setting, it is a keyword.
KEYWORDS = {"learn": {"site"}, "clean": {"site"}, "why": {"site"}, "merge": {"site"}}


def documented() -> Iterator[tuple[str, Any]]:
    """All public objects, and the members of the classes: ``doctest`` does not find those of extension modules."""
    yield "unframe", unframe
    for name in unframe.__all__:
        thing = getattr(unframe, name)
        if isinstance(thing, str):
            continue
        yield f"unframe.{name}", thing
        if inspect.isclass(thing):
            members = [member for member in vars(thing) if not member.startswith("_")]
            yield from ((f"unframe.{name}.{member}", vars(thing)[member]) for member in members)
    yield "unframe._native.main", _native.main


OBJECTS = dict(documented())


def docstring(thing: Any) -> str:
    # A classmethod or staticmethod of an extension class has that of its function.
    return inspect.cleandoc(getattr(thing, "__doc__", None) or "")


def callables() -> dict[str, Callable[..., Any]]:
    """Functions, classes with a constructor, and methods."""
    found = {}
    for name in OBJECTS:
        owner, _, member = name.removeprefix("unframe.").rpartition(".")
        thing = getattr(getattr(unframe, owner), member) if owner else getattr(unframe, member, None)
        if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, BaseException)):
            found[name] = thing
    return found


CALLABLES = callables()


@pytest.mark.parametrize("name", OBJECTS)
def test_has_a_docstring(name: str) -> None:
    text = docstring(OBJECTS[name])
    assert text and text[0].isupper(), f"{name} has no docstring"


@pytest.mark.parametrize("name", [name for name in OBJECTS if ">>>" in docstring(OBJECTS[name])])
def test_examples(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(docstring(OBJECTS[name]), {}, name, None, None)
    assert test.examples
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert result.failed == 0, "".join(said)


def test_the_main_objects_have_examples() -> None:
    names = {name for name in OBJECTS if ">>>" in docstring(OBJECTS[name])}
    assert {"extract", "clean_pages", "read", "Site", "Crawl", "Page"} <= {name.split(".")[-1] for name in names}


@pytest.mark.parametrize("name", CALLABLES)
def test_signature(name: str) -> None:
    assert inspect.signature(CALLABLES[name]) is not None


@pytest.mark.parametrize("name", CALLABLES)
def test_all_but_the_data_is_keyword_only(name: str) -> None:
    keywords = KEYWORDS.get(name.split(".")[-1], set())
    for parameter in inspect.signature(CALLABLES[name]).parameters.values():
        if parameter.name == "self" or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD):
            continue
        assert parameter.name in DATA - keywords, f"{name}({parameter.name})"


# Settings that `**settings` stands for.
SETTINGS = {
    "favor_precision",
    "favor_recall",
    "include_comments",
    "protect",
    "remove_selector",
    "remove",
    "owner_marks",
    "method",
}


@pytest.mark.parametrize("name", ["unframe.extract", "unframe.clean_pages", "unframe.clean_table", "unframe.read"])
def test_help_has_every_argument(name: str) -> None:
    text = pydoc.plain(pydoc.render_doc(CALLABLES[name]))
    # The docstring, without the signature above it.
    arguments = text[text.index("Args:") :]
    for parameter in inspect.signature(CALLABLES[name]).parameters:
        documented = re.search(rf"^ +(\w+, )*\**{parameter}(, \w+)*:", arguments, re.MULTILINE)
        assert documented, f"{name}: {parameter} is not explained"


@pytest.mark.parametrize(
    "call",
    [
        lambda **keywords: unframe.extract(b"<p>Tea.", **keywords),
        lambda **keywords: unframe.clean_pages([], **keywords),
        lambda **keywords: unframe.Site(**keywords),
        lambda **keywords: unframe.Crawl(**keywords),
        lambda **keywords: unframe.read([], **keywords),
    ],
    ids=["extract", "clean_pages", "Site", "Crawl", "read"],
)
def test_the_signature_names_what_is_accepted(call: Callable[..., Any], request: pytest.FixtureRequest) -> None:
    """The error for an unknown argument lists those that there are: the same as the signature."""
    name = f"unframe.{request.node.callspec.id}"
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'") as raised:
        call(colour="red")
    accepted = set(str(raised.value).split("there are ")[1].split(", "))
    parameters = inspect.signature(CALLABLES[name]).parameters.values()
    named = {parameter.name for parameter in parameters if parameter.kind == parameter.KEYWORD_ONLY}
    if any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters):
        named |= SETTINGS
    assert accepted == named


def test_clean_table_accepts_what_its_signature_names() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'render'"):
        unframe.clean_table(pyarrow.table({"url": ["a"], "html": ["b"]}), render="text")


def test_the_exceptions_form_a_tree() -> None:
    errors = [thing for thing in OBJECTS.values() if inspect.isclass(thing) and issubclass(thing, BaseException)]
    assert len(errors) == 12
    assert all(issubclass(error, unframe.Error) for error in errors)
    assert issubclass(unframe.ArgumentError, ValueError) and issubclass(unframe.StateNotFoundError, FileNotFoundError)
    assert unframe.errors.__all__ == sorted(error.__name__ for error in errors)


def test_everything_public_is_listed() -> None:
    assert set(_native.__all__) - {"main"} <= set(unframe.__all__)
    assert unframe.__all__ == sorted(unframe.__all__)
