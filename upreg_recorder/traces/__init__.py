"""What a host's processes use while something is filmed, as a trace in Perfetto's own format."""

from __future__ import annotations

from upreg_recorder.traces.sampling import Recording, Sample, Sampler
from upreg_recorder.traces.writing import write_trace

__all__ = ["Recording", "Sample", "Sampler", "write_trace"]
