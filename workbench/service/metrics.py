"""Counts and times of the service, in Prometheus' text form."""

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from starlette.responses import Response

from workbench.service.admission import Gate

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """What ``/metrics`` shows; also memory and processor time of the process."""

    def __init__(self, gate: Gate) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "workbench_requests", "Requests answered.", ["path", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "workbench_request_seconds", "Time until the last byte of an answer.", ["path"],
            buckets=_SECONDS, registry=self._registry,
        )  # fmt: skip
        self._bytes = Counter(
            "workbench_recased_bytes", "Bytes of text that were recased.", ["model"],
            registry=self._registry,
        )  # fmt: skip
        self._gauge("workbench_requests_under_way", "Requests to recase.", lambda: gate.requests)
        self._gauge("workbench_held_bytes", "Bytes of bodies in memory.", lambda: gate.bytes)

    def _gauge(self, name, text, read):
        Gauge(name, text, registry=self._registry).set_function(read)

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count an answer; ``path`` is one of the routes."""
        self._requests.labels(path, status).inc()
        self._seconds.labels(path).observe(seconds)

    def recased(self, model: str, n_bytes: int) -> None:
        """Count text that was recased."""
        self._bytes.labels(model).inc(n_bytes)

    def show(self) -> Response:
        """Return the answer of ``/metrics``."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)
