"""All hands of the shared PHH sets by the byte scanner and by the careful reader: the same rows."""

import pytest

from conformance.test_phh_fast import PHH_SETS, same_rows

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", list(PHH_SETS))
def test_all_hands_alike(name, tmp_path, monkeypatch):
    assert same_rows(name, None, tmp_path, monkeypatch) >= 13
