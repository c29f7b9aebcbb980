from xorqa.datasets.sources import EVALUATE, SOURCES


def test_the_table_is_well_formed():
    for name, source in SOURCES.items():
        assert source.name == name
        assert source.page.startswith("https://")
        assert source.license
        assert len(source.files) > 0
        assert not source.url or (source.url.startswith("https://") and source.url.endswith("/"))
        for file, wanted in source.files.items():
            assert wanted is None or source.url, f"{file} has a hash but no address"
            assert not wanted or len(bytes.fromhex(wanted)) == 32
    assert (len(SOURCES["squad"].files), len(SOURCES["xquad"].files)) == (2, 12)


def test_what_only_measures_is_marked():
    only = {name for name, source in SOURCES.items() if source.use == EVALUATE}
    assert only == {"xquad", "xquad-r", "tequad"}
