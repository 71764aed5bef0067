"""Types as the form of an answer: everything that pydantic can read.

a Pydantic model         by its own configuration, wherever it stands
a dataclass, TypedDict   strictly, wherever it stands outside a model: nothing is
                         converted, no key is unknown, and none is missing but those
                         with a default or NotRequired; a configuration that the class
                         carries goes first
any other type           strictly

pydantic is imported when a type is read, not before.
"""

import dataclasses
import inspect
import json
from collections.abc import Callable, Iterator
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
)

from chat.engine.json_value import Json
from chat.engine.output_schema import (
    MAX_ERRORS,
    Misfit,
    OutputSchema,
    plain_schema,
    refuse,
    title_of,
)


def from_type(form: Any) -> OutputSchema:
    """Read a type; raises ConfigurationError, or what pydantic says against it."""
    from pydantic import ConfigDict, PydanticUserError, TypeAdapter, ValidationError
    from pydantic.json_schema import GenerateJsonSchema

    class Quiet(GenerateJsonSchema):
        ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}

    if not _is_type(form):
        refuse(f"must be a type or a dict, not a {type(form).__name__}")
    held = _Strict().of(form)
    try:
        adapter = TypeAdapter(held, config=ConfigDict(strict=True))
    except PydanticUserError as error:
        if error.code != "type-adapter-config-unused":
            raise
        adapter = TypeAdapter(held)
    generated = adapter.json_schema(schema_generator=Quiet)
    plain = plain_schema(json.loads(json.dumps(generated)))
    if not plain.keys() - {"title", "description"}:
        refuse(f"is {form!r}, which every answer would fit")

    def fit(value: Json) -> Any:
        try:
            # As text again: strictly read, a date or an enum is a text in JSON alone.
            return adapter.validate_json(json.dumps(value))
        except ValidationError as error:
            said = error.errors(include_url=False, include_input=False)
        raise Misfit((each["loc"], each["msg"]) for each in said[:MAX_ERRORS])

    name = form.__name__ if inspect.isclass(form) else title_of(plain)
    return OutputSchema(name, plain, fit)


class _Strict:
    """Types with the dataclasses and TypedDicts in them made strict.

    Each is rebuilt as a TypedDict with a configuration of its own, from which a
    dataclass is made by its constructor: pydantic reads no typing.TypedDict before
    Python 3.12, and the caller's classes must not be changed.
    """

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}
        self._open: set[Any] = set()

    def of(self, form: Any) -> Any:
        origin = get_origin(form)
        if _is_record(origin):
            refuse(f"has {form}: a generic dataclass or TypedDict is not supported")
        if _is_record(form):
            return self._made[form] if form in self._made else self._record(form)
        if origin is None:
            return self._alias(form)
        args = (form.__origin__,) if origin is Annotated else get_args(form)
        new = args if origin is Literal else tuple(map(self.of, args))
        if all(part is old for part, old in zip(new, args, strict=True)):
            return form
        if origin is Annotated:
            return Annotated[(*new, *form.__metadata__)]
        if origin in (Union, UnionType):
            return Union[new]  # noqa: UP007, its members are known only now
        return form.copy_with(new) if hasattr(form, "copy_with") else origin[new]

    def _alias(self, form: Any) -> Any:
        inner = getattr(form, "__value__", getattr(form, "__supertype__", None))
        if inner is None or isinstance(form, type):
            return form
        if form in self._open:
            refuse(f"has {form}: an alias of itself is not supported")
        self._open.add(form)
        new = self.of(inner)
        self._open.discard(form)
        return form if new is inner else new

    def _record(self, form: Any) -> Any:
        import typing_extensions
        from pydantic import AfterValidator

        extensions: Any = typing_extensions
        shadow = extensions.TypedDict(form.__name__, {})
        shadow.__module__, shadow.__qualname__ = form.__module__, form.__qualname__
        own = getattr(form, "__pydantic_config__", {})
        shadow.__pydantic_config__ = {"strict": True, "extra": "forbid", **own}
        made = shadow
        if not typing_extensions.is_typeddict(form):
            made = Annotated[shadow, AfterValidator(_constructor(form))]
        else:
            shadow.__doc__ = form.__doc__
        # Known before its fields are read, so that a field may hold it again.
        self._made[form] = made
        shadow.__annotations__ = dict(self._fields(form))
        return made

    def _fields(self, form: Any) -> Iterator[tuple[str, Any]]:
        from typing_extensions import get_type_hints

        hints = get_type_hints(form, None, {form.__name__: form}, include_extras=True)
        for name, required in _keys(form):
            hint = hints[name]
            held = self.of(hint.type if isinstance(hint, dataclasses.InitVar) else hint)
            if not _is_qualified(held):
                held = Required[held] if required else NotRequired[held]
            yield name, held


def _is_type(form: Any) -> bool:
    named = hasattr(form, "__value__") or hasattr(form, "__supertype__")
    return named or isinstance(form, type) or get_origin(form) is not None


def _is_record(form: Any) -> bool:
    """Say whether `form` is a TypedDict, or a dataclass that is not pydantic's own."""
    from typing_extensions import is_typeddict

    if is_typeddict(form):
        return True
    plain = isinstance(form, type) and dataclasses.is_dataclass(form)
    return plain and "__is_pydantic_dataclass__" not in vars(form)


def _keys(form: type[Any]) -> list[tuple[str, bool]]:
    """Return the keys of a record, each with whether it must be there."""
    if not dataclasses.is_dataclass(form):
        return [(key, key in form.__required_keys__) for key in form.__annotations__]
    constructor: Callable[..., Any] = form
    given = inspect.signature(constructor).parameters.values()
    return [(each.name, each.default is each.empty) for each in given]


def _is_qualified(form: Any) -> bool:
    from typing_extensions import ReadOnly

    origin = get_origin(form)
    if origin in (Annotated, ReadOnly):
        return _is_qualified(get_args(form)[0])
    return origin in (Required, NotRequired)


def _constructor(form: Callable[..., Any]) -> Callable[[dict[str, Any]], Any]:
    def construct(fields: dict[str, Any]) -> Any:
        return form(**fields)

    return construct
