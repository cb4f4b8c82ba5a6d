"""Reads bodies of OTLP in its JSON encoding, one a line, with the official types; prints how many spans they hold.

The encoding is protobuf's own but for ids, which are hexadecimal and not base64. A field that the types do not know is an error.
"""

import base64
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

LENGTHS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def spans_of(request):
    return [
        span
        for resource in request["resourceSpans"]
        for scope in resource["scopeSpans"]
        for span in scope["spans"]
    ]


def main():
    count = 0
    for line in sys.stdin:
        request = json.loads(line)
        for span in spans_of(request):
            for name, length in LENGTHS.items():
                if name in span:
                    raw = bytes.fromhex(span[name])
                    assert len(raw) == length, span[name]
                    span[name] = base64.b64encode(raw).decode()
        read = json_format.ParseDict(request, ExportTraceServiceRequest())
        for span in [span for r in read.resource_spans for s in r.scope_spans for span in s.spans]:
            assert span.start_time_unix_nano and span.end_time_unix_nano and span.kind, span
            count += 1
    print(count)


main()
