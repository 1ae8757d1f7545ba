"""Files: read with limits and one clear line where one is damaged, written whole or not at all, locked, shipped."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.base._decode import (
        SIZE_LIMITS as SIZE_LIMITS,
        array_of as array_of,
        check_growth as check_growth,
        check_shapes as check_shapes,
        file_faults as file_faults,
        from_json as from_json,
        from_plain as from_plain,
        opened as opened,
        place_of as place_of,
        read_arrays as read_arrays,
        read_json_file as read_json_file,
        read_text as read_text,
        read_toml_file as read_toml_file,
        saved_state as saved_state,
    )
    from dupai.base._files import (
        disk_faults as disk_faults,
        lock_file as lock_file,
        map_file as map_file,
        open_whole as open_whole,
        release_pages as release_pages,
        whole_path as whole_path,
        write_whole as write_whole,
    )
    from dupai.base._shipped import digest as digest, files_at as files_at, shipped as shipped
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
