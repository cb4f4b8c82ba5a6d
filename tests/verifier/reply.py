"""What a reply says, by the protocol that its body is written in."""

from collections import namedtuple

from rawjson import Wrong, get, items, quoted, text_of, text_or_raw, whole, whole_number
from written import calls_among_words, is_object, without_thinking

# Calls are (name, arguments), blocks are JSON texts.
Reply = namedtuple("Reply", "text calls blocks finish usage")

CALLS_MAX = 128
NO_USAGE = (0, 0, 0, 0, 0)


def decoded(body, seat):
    """The reply that a body is, for a seat's protocol and compat; raises where no reply can be read from it."""
    protocol, compat = seat["protocol"], seat["compat"]
    reply = READERS[protocol](body.lstrip("\ufeff"), compat)
    text, calls, blocks = reply.text, list(reply.calls), reply.blocks
    if compat["tool_calls"] not in ("structured", "guided") or not is_object(text, compat["tool_calls"]):
        text = without_thinking(text)
    if compat["tool_calls"] != "native":
        text, more = calls_among_words(text, compat["tool_calls"])
        text, calls, blocks = without_thinking(text), calls + more, []
    elif not calls:
        text, calls = calls_among_words(text, "native")
    return reply._replace(text=text, calls=calls, blocks=blocks)


def refuse_errors(*errors):
    for error in errors:
        if error not in (None, "false", '""') and not (error.startswith("{") and not whole(error, "{")):
            raise Wrong("it reports an error")


def counted(raw, *paths):
    """Numbers by their paths in an object of counts, each by itself: 0 where one is none."""
    found = []
    for path in paths:
        try:
            found.append(number_at(raw, path) or 0)
        except Wrong:
            found.append(0)
    return found


def number_at(raw, path):
    for name in path.split("."):
        if raw is None:
            return 0
        (raw,) = get(raw, name)
    return 0 if raw is None else whole_number(raw)


def finish_of(reason, **reasons):
    return next((finish for finish, names in reasons.items() if reason in names.split()), "Other")


# ------------------------------------------------------------------------------------------------------ chat completions


def chat_completions(body, compat):
    error, choices, usage = get(body, "error", "choices", "usage")
    refuse_errors(error)
    choice = items(choices or "")[0:1]
    if not choice:
        raise Wrong("there is no choice")
    error, message, reason = get(choice[0], "error", "message", "finish_reason")
    reason = text_of(reason) or ""
    refuse_errors(error, quoted(reason) if reason == "error" else None)
    content, refusal, calls, *thought = get(
        message or "", "content", "refusal", "tool_calls", "reasoning_content", "reasoning", "reasoning_details"
    )
    text = content_of(content)
    finish = finish_of(reason, Stop="stop", ToolCalls="tool_calls function_call", Length="length", Filtered="content_filter")
    if text == "" and text_of(refusal) is not None:
        text, finish = text_of(refusal), "Filtered"
    usage = counted(
        usage,
        "prompt_tokens",
        "prompt_tokens_details.cached_tokens",
        "prompt_tokens_details.cache_write_tokens",
        "completion_tokens",
        "completion_tokens_details.reasoning_tokens",
    )
    return Reply(text, calls_of(calls), thinking_taken_back(thought, compat["thinking_field"]), finish, tuple(usage))


def content_of(content):
    if content is None:
        return ""
    text = text_of(content)
    if text is not None:
        return text
    pieces = [get(piece, "text", "type") for piece in items(content)]
    said = [text for text, kind in pieces if text_of(kind) in (None, "text", "output_text")]
    return "".join(text_of(text) or "" for text in said)


def calls_of(raw):
    return [call_of(call) for call in (items(raw) if raw is not None else [])[:CALLS_MAX]]


def call_of(raw):
    try:
        _, function = get(raw, "id", "function")
        name, arguments = get(function or "", "name", "arguments")
        return text_or_raw(name), text_or_raw(arguments)
    except Wrong:
        return "", raw


def thinking_taken_back(thought, field):
    content, reasoning, details = thought
    if field == "none":
        return []
    if field == "reasoning_details":
        return ['{"reasoning_details":' + details + "}"] if details is not None else []
    texts = [text for text in (text_of(content), text_of(reasoning)) if text]
    thinking = texts[0] if texts else details_text(details)
    return ['{"' + field + '":' + quoted(thinking) + "}"] if thinking else []


def details_text(details):
    try:
        pieces = [get(piece, "text", "summary") for piece in items(details or "")]
    except Wrong:
        return ""
    return "".join(text_of(text if text is not None else summary) or "" for text, summary in pieces)


# ------------------------------------------------------------------------------------------------------------- responses


def responses(body, _):
    error, status, incomplete, output, usage = get(body, "error", "status", "incomplete_details", "output", "usage")
    refuse_errors(error)
    status = text_of(status) or ""
    if status in ("failed", "in_progress", "queued"):
        raise Wrong("there is no whole response")
    found = items(output or "")
    if not found and status != "incomplete":
        raise Wrong("the output is empty")
    texts, refusals, calls, blocks, waiting = [], [], [], [], []
    for item in found:
        kind, content, name, arguments, encrypted = get(item, "type", "content", "name", "arguments", "encrypted_content")
        kind = text_of(kind)
        if kind == "message" and content is not None:
            text, refusal = words_of(content)
            blocks += [(0, block) for block in waiting]
            waiting = []
            texts += [text] if text else []
            refusals += [refusal] if refusal else []
        elif kind == "function_call":
            blocks += [(len(calls) + 1, block) for block in waiting]
            waiting = []
            if len(calls) < CALLS_MAX:
                calls.append((text_or_raw(name), text_or_raw(arguments)))
        elif kind == "reasoning" and text_of(encrypted):
            waiting.append(item)
    blocks += [(len(calls) + 1, block) for block in waiting]
    reason = None
    if incomplete is not None and incomplete.startswith("{"):
        reason = text_of(get(incomplete, "reason")[0])
    finish = "Other"
    if status in ("completed", "") and calls:
        finish = "ToolCalls"
    elif status == "completed":
        finish = "Stop"
    elif status == "incomplete":
        finish = finish_of(reason, Length="max_output_tokens", Filtered="content_filter")
    text = "\n\n".join(texts)
    if text == "" and refusals:
        text, finish = "\n\n".join(refusals), "Filtered"
    usage = counted(
        usage,
        "input_tokens",
        "input_tokens_details.cached_tokens",
        "input_tokens_details.cache_write_tokens",
        "output_tokens",
        "output_tokens_details.reasoning_tokens",
    )
    return Reply(text, calls, [block for _, block in sorted(blocks, key=lambda one: one[0])], finish, tuple(usage))


def words_of(content):
    if text_of(content) is not None:
        return text_of(content), ""
    words, refusals = "", ""
    for piece in items(content):
        text, refusal, kind = get(piece, "text", "refusal", "type")
        kind = text_of(kind)
        if kind in ("output_text", "text", None):
            words += text_of(text) or ""
        elif kind == "refusal":
            refusals += text_of(refusal) or ""
    return words, refusals


# ------------------------------------------------------------------------------------------------------------- anthropic


def anthropic(body, _):
    error, content, reason, usage = get(body, "error", "content", "stop_reason", "usage")
    refuse_errors(error)
    fresh, cached, stored, written, thought = counted(
        usage,
        "input_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
        "output_tokens",
        "output_tokens_details.thinking_tokens",
    )
    usage = (min(fresh + cached + stored, 2**64 - 1), cached, stored, written, thought)
    finish = finish_of(
        text_of(reason) or "",
        Stop="end_turn stop_sequence",
        ToolCalls="tool_use",
        Length="max_tokens model_context_window_exceeded",
        Filtered="refusal",
    )
    if content is None:
        raise Wrong("there is no content")
    if text_of(content) is not None:
        return Reply(text_of(content), [], [], finish, usage)
    text, calls, blocks = "", [], []
    for block in items(content):
        kind, words, signature, name, given = get(block, "type", "text", "signature", "name", "input")
        kind = text_of(kind)
        if kind == "text" or (kind is None and words is not None):
            text += text_of(words) or ""
        elif kind == "tool_use":
            if len(calls) < CALLS_MAX:
                calls.append((text_or_raw(name), text_or_raw(given)))
        elif kind != "thinking" or text_of(signature) is not None:
            blocks.append(block)
    return Reply(text, calls, blocks, finish, usage)


# ---------------------------------------------------------------------------------------------------------------- gemini


def gemini(body, _):
    try:
        only = items(body)
        body = only[0] if len(only) == 1 else body
    except Wrong:
        pass
    error, candidates, feedback, usage = get(body, "error", "candidates", "promptFeedback", "usageMetadata")
    refuse_errors(error)
    prompt, tools, cached, said, thought = counted(
        usage,
        "promptTokenCount",
        "toolUsePromptTokenCount",
        "cachedContentTokenCount",
        "candidatesTokenCount",
        "thoughtsTokenCount",
    )
    most = 2**64 - 1
    usage = (min(prompt + tools, most), cached, 0, min(said + thought, most), thought)
    found = items(candidates) if candidates is not None else []
    if not found:
        blocked = text_of(get(feedback, "blockReason")[0]) if feedback is not None else None
        if blocked in (None, "BLOCK_REASON_UNSPECIFIED"):
            raise Wrong("there is no candidate")
        return Reply("", [], [], "Filtered", usage)
    content, reason = get(found[0], "content", "finishReason")
    if content is None and reason is None:
        raise Wrong("the candidate has no content")
    parts = get(content, "parts")[0] if content is not None else None
    text, calls, blocks = "", [], []
    for part in items(parts) if parts is not None else []:
        words, thinks, call, signature = get(part, "text", "thought", "functionCall", "thoughtSignature")
        words = text_of(words)
        signed = '"thoughtSignature":' + signature + "}" if text_of(signature) else None
        if call is not None:
            if len(calls) < CALLS_MAX:
                blocks += ["{" + signed] if signed else []
                calls.append(function_call(call))
        elif thinks == "true":
            blocks += [part] if signed else []
        elif words is not None:
            text += words
            blocks += ['{"text":"",' + signed] if signed else []
        else:
            blocks.append(part)
    finish = finish_of(
        text_of(reason) or "",
        Stop="STOP",
        Length="MAX_TOKENS CONTINUATION",
        Filtered="SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII LANGUAGE",
    )
    finish = "ToolCalls" if finish == "Stop" and calls else finish
    return Reply(text, calls, blocks, finish, usage)


def function_call(raw):
    try:
        name, arguments = get(raw, "name", "args")
    except Wrong:
        return "", raw
    return text_or_raw(name), "{}" if arguments is None else text_or_raw(arguments)


# ---------------------------------------------------------------------------------------------------------------- ollama


def ollama(body, _):
    error, message, done, reason, read, written = get(
        body, "error", "message", "done", "done_reason", "prompt_eval_count", "eval_count"
    )
    refuse_errors(error)
    if done == "false":
        raise Wrong("the reply is not whole")
    content, thinking, calls = get(message or "", "content", "thinking", "tool_calls")
    if content is not None and text_of(content) is None:
        raise Wrong("the content is no text")
    calls, reason = calls_of(calls), text_of(reason)
    if calls and reason in ("stop", None):
        finish = "ToolCalls"
    elif reason == "stop" or (reason is None and done == "true"):
        finish = "Stop"
    else:
        finish = "Length" if reason == "length" else "Other"
    usage = (whole_number(read) or 0, 0, 0, whole_number(written) or 0, 0)
    blocks = ['{"thinking":' + thinking + "}"] if text_of(thinking) else []
    return Reply(text_of(content) or "", calls, blocks, finish, usage)


READERS = {
    "chat-completions": chat_completions,
    "improv": chat_completions,
    "responses": responses,
    "anthropic-messages": anthropic,
    "gemini": gemini,
    "ollama": ollama,
}
