"""Compile the kernels of analysis/kernels to one object file. Only this module needs numba."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import types

from analysis.native.kernel import SCALARS, Kernel

LIBRARY = {"memset", "memcpy", "memmove", "memcmp"}  # what the C library gives to compiled code
# Numba counts who holds an array's memory. A kernel's arrays belong to its caller: there is never any to give back.
NOTHING_TO_FREE = "define void @NRT_MemInfo_call_dtor(ptr %memory) { ret void }"


class KernelBuildError(Exception):
    """A kernel needs something that only numba's run time has."""


def build(kernels: Iterable[Kernel], machine: llvm.TargetMachine) -> bytes:
    """Return an object file that defines the symbol of each kernel."""
    whole = llvm.parse_assembly(NOTHING_TO_FREE)
    for kernel in kernels:
        whole.link_in(_module(kernel, machine))
    return bytes(machine.emit_object(whole))


def _module(kernel: Kernel, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """Return the kernel's code under its symbol, without what numba puts around it to be called from Python."""
    compiled: Any = numba.njit  # its annotations leave the options out that drop the wrappers
    entry = compiled(_signature(kernel), error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(
        _entry(kernel)
    )
    (result,) = entry.overloads.values()
    (text,) = entry.inspect_llvm().values()
    module = llvm.parse_assembly(text)
    module.get_function(result.fndesc.llvm_func_name).name = kernel.symbol
    for function in module.functions:
        if function.name != kernel.symbol and not function.is_declaration:
            function.linkage = "internal"
    _strip(module, machine)
    missing = {f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")}
    missing -= {*LIBRARY, "NRT_MemInfo_call_dtor"}
    if missing:
        raise KernelBuildError(
            f"{kernel.source} calls {', '.join(sorted(missing))}: a kernel may not allocate, raise or print"
        )
    return module


def _strip(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, builder)


def _signature(kernel: Kernel) -> Any:
    flat: list[Any] = []
    for text in kernel.parameters:
        kind = getattr(types, text.partition("[")[0])
        flat += [kind] if text in SCALARS else [types.CPointer(kind)] + [types.int64] * text.count(":")
    return types.void(*flat)


def _entry(kernel: Kernel) -> Any:
    """Return a function of addresses and lengths that calls the kernel with arrays.

    It is written out as text, since numba must see a fixed list of parameters.
    """
    module, name = kernel.source.split(".")
    names, arrays = [], []
    for number, text in enumerate(kernel.parameters):
        lengths = [f"a{number}_{axis}" for axis in range(text.count(":"))]
        names += [f"a{number}", *lengths]
        arrays.append(f"a{number}" if text in SCALARS else f"carray(a{number}, ({', '.join(lengths)},))")
    space = {
        "carray": numba.carray,
        "kernel": getattr(importlib.import_module(f"analysis.kernels.{module}"), name),
    }
    exec(f"def entry({', '.join(names)}):\n    kernel({', '.join(arrays)})", space)
    return space["entry"]
