"""Which keywords the constructors of the SDKs' server classes take, by major version.

Measured with ``inspect.signature`` of published releases.  A keyword that only some releases of a major version take
counts for all of them.
"""

from __future__ import annotations

import re

from pdmigrate.sdk.families import FASTMCP, MCP1, MCP2, SERVER, ServerClass

_LOW = "name version instructions lifespan website_url icons"
_HANDLERS = (
    "on_list_tools on_call_tool on_list_resources on_list_resource_templates on_read_resource on_subscribe_resource "
    "on_unsubscribe_resource on_subscriptions_listen on_list_prompts on_get_prompt on_completion on_set_logging_level "
    "on_ping on_roots_list_changed on_progress"
)
_OFFICIAL = (
    "name instructions website_url icons auth_server_provider token_verifier tools debug log_level lifespan auth "
    "warn_on_duplicate_resources warn_on_duplicate_tools warn_on_duplicate_prompts dependencies"
)
_HTTP = "host port sse_path message_path streamable_http_path json_response stateless_http"
_FAST = "name instructions version lifespan auth middleware tools mask_error_details website_url icons tasks"
_FAST3 = (
    f"{_FAST} strict_input_validation providers transforms on_duplicate dereference_schemas list_page_size "
    "session_state_store client_log_level experimental_capabilities"
)
TAKEN = {
    SERVER.type: {
        "1.2.1 to 1.30": _LOW,
        "2.0.0 to 2.3": f"{_LOW} title description cache_hints get_tool_input_schema {_HANDLERS}",
    },
    MCP1.type: {
        "1.12.4 to 1.30": f"{_OFFICIAL} {_HTTP} event_store mount_path transport_security retry_interval "
        "max_request_body_size session_idle_timeout max_sessions",
    },
    MCP2.type: {
        "2.0.0 to 2.3": f"{_OFFICIAL} title description version resources extensions resource_security "
        "request_state_security cache_hints subscriptions middleware",
    },
    FASTMCP.type: {
        "2.8.1 to 2.14": f"{_FAST} {_HTTP} debug log_level strict_input_validation tool_serializer dependencies "
        "cache_expiration_seconds on_duplicate_tools on_duplicate_resources on_duplicate_prompts include_tags "
        "exclude_tags resource_prefix_format tool_transformations include_fastmcp_meta sampling_handler "
        "sampling_handler_behavior",
        "3.0.2 to 3.4": f"{_FAST3} sampling_handler sampling_handler_behavior",
        "4.0.0 to 4.2": f"{_FAST3} resource_security request_state_security cache_ttl cache_scope",
    },
}
"""By class: the first release and the last minor version that were measured, with the keywords that any of them takes.

Earlier releases take any setting.
"""


def refuses(server: ServerClass, version: str, keyword: str) -> bool:
    """Whether the constructor of a server class certainly raises for a keyword, on this version of its SDK."""
    release = tuple(map(int, re.findall(r"\d+", version)[:3]))
    for span, taken in TAKEN.get(server.type, {}).items():
        first, last = (tuple(map(int, limit.split("."))) for limit in span.split(" to "))
        if first <= release and release[:2] <= last:
            return keyword not in taken.split()
    return False
