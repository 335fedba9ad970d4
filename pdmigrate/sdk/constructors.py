"""Which keywords the constructors of the SDKs' server classes take: as measured, release by release.

``inspect.signature`` of the published releases; those between two that agree are taken to be like both, and of what
they do not agree on nothing is said.  Earlier releases that take any setting have no row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pdmigrate.sdk.families import FASTMCP, MCP1, MCP2, SERVER, ServerClass

_HTTP = "debug log_level host port sse_path message_path streamable_http_path json_response stateless_http"
_WARNING = "warn_on_duplicate_resources warn_on_duplicate_tools warn_on_duplicate_prompts dependencies lifespan auth"
_DUPLICATES = "on_duplicate_tools on_duplicate_resources on_duplicate_prompts"
_MOVED = f"{_DUPLICATES} {_HTTP}"
_HANDLERS = (
    "on_list_tools on_call_tool on_list_resources on_list_resource_templates on_read_resource on_subscribe_resource "
    "on_unsubscribe_resource on_subscriptions_listen on_list_prompts on_get_prompt on_completion on_set_logging_level "
    "on_ping on_roots_list_changed on_progress"
)
_FIRST1 = (
    "name instructions auth_server_provider token_verifier event_store tools mount_path transport_security "
    f"{_HTTP} {_WARNING}"
)
_FIRST_NAMED_ANEW = (
    "name title description instructions website_url icons version auth_server_provider token_verifier tools "
    f"resources extensions debug log_level {_WARNING} resource_security request_state_security cache_hints "
    "subscriptions middleware"
)
_FIRST2 = (
    f"name instructions lifespan auth tool_serializer dependencies cache_expiration_seconds {_DUPLICATES} tools "
    f"resource_prefix_format mask_error_details include_tags exclude_tags {_HTTP}"
)
_ROWS = {
    SERVER.type: f"""
        1.2.1 name version | 1.3.0 instructions lifespan | 1.14.1 | 1.15.0 website_url icons | 1.30.0
        | 2.0.0 title description cache_hints {_HANDLERS} | 2.1.1 | 2.3.0 get_tool_input_schema
    """,
    MCP1.type: f"""
        1.12.4 {_FIRST1} | 1.14.1 | 1.15.0 website_url icons | 1.22.0 | 1.23.3 retry_interval | 1.26.0
        | 1.30.0 max_request_body_size session_idle_timeout max_sessions
    """,
    MCP2.type: f"2.0.0 {_FIRST_NAMED_ANEW} | 2.3.0",
    FASTMCP.type: f"""
        2.8.1 {_FIRST2} | 2.9.2 version middleware | 2.10.6
        | 2.11.3 tool_transformations include_fastmcp_meta without cache_expiration_seconds
        | 2.12.5 sampling_handler sampling_handler_behavior | 2.13.3 website_url icons strict_input_validation
        | 2.14.7 tasks without dependencies resource_prefix_format
        | 3.0.2 providers on_duplicate dereference_schemas list_page_size session_state_store
            without tool_transformations tool_serializer include_tags exclude_tags include_fastmcp_meta {_MOVED}
        | 3.1.1 transforms | 3.2.4 client_log_level | 3.3.1 experimental_capabilities | 3.4.10
        | 4.0.0 resource_security request_state_security cache_ttl cache_scope
            without sampling_handler sampling_handler_behavior
        | 4.2.3
    """,
}
"""By class: the releases, each with the keywords that it takes and the one before did not, or not any more."""


def _taken(rows: str) -> Iterator[tuple[tuple[int, ...], frozenset[str]]]:
    taken: frozenset[str] = frozenset()
    for row in rows.split("|"):
        more, _, less = row.partition("without")
        release, *new = more.split()
        taken = taken.union(new).difference(less.split())
        yield tuple(map(int, release.split("."))), taken


MEASURED = {cls: tuple(_taken(rows)) for cls, rows in _ROWS.items()}
"""By class: the releases, each with all keywords that it takes."""


def refuses(server: ServerClass, version: str, keyword: str) -> bool:
    """Whether the constructor of a server class certainly raises for a keyword, on this version of its SDK."""
    release = tuple(map(int, re.findall(r"\d+", version)[:3]))
    rows = MEASURED.get(server.type, ())
    if not rows or not rows[0][0] <= release or release[:2] > rows[-1][0][:2]:
        return False
    below = [taken for measured, taken in rows if measured <= release][-1]
    above = next((taken for measured, taken in rows if measured >= release), frozenset())
    return keyword not in below | above
