# Python imports this before anything of a connector. Beside a connector's code lies what it keeps: a json.py
# written there would take the place of json at its next start. So in its directory, modules are looked for
# among the files that were shipped, and among their sources: a cached .pyc can be anybody's.
import os
import stat
import sys
import _frozen_importlib_external as machinery  # is there already; importlib would have to be imported
from _frozen_importlib import ModuleSpec

BASE = "/root/.skald/mcp/"


def shipped(path):
    """True of what a connector cannot have written: it is mounted read-only, or belongs to somebody else."""
    try:
        if os.path.realpath(path) != path:
            return False
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY) or os.lstat(path).st_uid != os.getuid()
    except OSError:
        return False


class Source(machinery.SourceFileLoader):
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


LOADERS = [(suffix, machinery.ExtensionFileLoader) for suffix in machinery._imp.extension_suffixes()]
LOADERS += [(suffix, Source) for suffix in machinery.SOURCE_SUFFIXES]
LOADERS += [(suffix, machinery.SourcelessFileLoader) for suffix in machinery.BYTECODE_SUFFIXES]


class Finder(machinery.FileFinder):
    def find_spec(self, fullname, target=None):
        base = os.path.join(self.path, fullname.rpartition(".")[2])
        for start, places in ((os.path.join(base, "__init__"), [base]), (base, None)):
            for suffix, loader in LOADERS:
                path = start + suffix
                if shipped(path):
                    return machinery.spec_from_file_location(
                        fullname, path, loader=loader(fullname, path), submodule_search_locations=places)
        try:
            if stat.S_ISDIR(os.lstat(base).st_mode):
                spec = ModuleSpec(fullname, None)
                spec.submodule_search_locations = [base]
                return spec
        except OSError:
            pass
        return None


def hook(path):
    real = os.path.realpath(path) + "/"
    if not real.startswith(BASE) or not os.path.isdir(path) or shipped(real[:-1]):
        raise ImportError("not a directory that a connector can write to")
    return Finder(path)


sys.path_hooks.insert(0, hook)
for entry in [entry for entry in sys.path_importer_cache if entry.startswith(BASE)]:
    del sys.path_importer_cache[entry]
