"""The publications that `xorqa data fetch` knows: addresses, files and permitted use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TRAIN = "training"
PARTLY = "training; its dev files: evaluation"
EVALUATE = "evaluation only"

JAQUAD = tuple(f"train/jaquad_train_{number:04d}.json" for number in range(30))
"""JaQuAD's training files, relative to its folder."""


@dataclass(frozen=True, slots=True)
class Publication:
    """One publication.

    `files` maps paths relative to its folder to the SHA-256 of the published file: "" if it is
    unknown (the address then has a commit), None if the file has no address (it is part of an
    archive, or the layout is ours). `url` ends in a slash; `page` is the publication's web page.
    """

    name: str
    license: str
    use: str
    page: str
    files: Mapping[str, str | None]
    url: str = ""


_SQUAD = {
    "train-v1.1.json": "3527663986b8295af4f7fcdff1ba1ff3f72d07d61a20f487cb238a6ef92fd955",
    "dev-v1.1.json": "95aa6a52d5d6a735563366753ca50492a658031da74f301ac5238b03966972c9",
}
_XQUAD = {
    "xquad.ar.json": "abdabd7afed5c635d99cca0f3f0d0c9d9ed0bc77451e963c2e4e0638c29e486d",
    "xquad.de.json": "990b5d746746ed65ed4702ea5f35f99ffa4e2f1c390c07d003642acd937916f9",
    "xquad.el.json": "821cf0f88e73fa258fd2f548b19b6ec39f7025059e16f6f9fc8cd797c9c3663e",
    "xquad.en.json": "e4c57d1c9143aaa1c5d265ba5987a65f4e69528d2a98f29d6e75019b10344f29",
    "xquad.es.json": "dcbae93ec3a9f4b9e78fd834a171d6f96c1a875e10e15b7530b7e4ef4971e37e",
    "xquad.hi.json": "df2cce3532b37e9beb8979704b5c9a4bf874358f105395a298b89427b43b9d24",
    "xquad.ro.json": "94f8d54e93ad2b7dd2e76dd921a666b5b8eff2d4379df9f179c42b445f09643f",
    "xquad.ru.json": "208d5b1aa154c52b1b5c5eda16281e455e8fd198cdb9af3f469f0d6037d973bf",
    "xquad.th.json": "5cdda11d0e1e075f7872abf4e6ae830388ce7f617964d542308e9ae4257e0f43",
    "xquad.tr.json": "92179a564774b7696100d144c1e10870d0a966b6fccbdd254a65b9d2ab1971cc",
    "xquad.vi.json": "f619a1eb11fb42d3ab0834259e488a65f585447ef6154437bfb7199d85161a04",
    "xquad.zh.json": "691d0b3359bc6b8faa8de931dfdfe21d50a65861ae348e32a0d1a0190b0c8835",
}
_XQUAD_R = {
    "ar.json": "c52922d3b8ac1ae03ed5ac38647ad59870dca3dda2beefe18ecdc30729acb69d",
    "de.json": "16fb0f4bf4916154b585a20c24c66074591c9718a1affe764ff4697572328949",
    "el.json": "163fd43ee785a30eb534ae2061e9eaa766a7ee4e8ffce5e4b422480c150f64b6",
    "en.json": "7b0954f39297c27a31fef610f0883337dd2907fa8699151dc922afdd0fa12ffe",
    "es.json": "f8e836b2d91009c4363e04315f7ede363eedbbb49c67dda60de6c4aa782f58de",
    "hi.json": "ea45ba8ae4513d1533b222bebdc02a90bc319c055d3aeea68584a053d2e92872",
    "ru.json": "7f4dff853538b9a5fcc28c070b8bb983a5c5d190ac747b8e005a1ada9cab18f1",
    "th.json": "c3a041864c3a9fb0b4dd91cfdf99cf36b411b3e704c58a303c97bc6dc786cfe4",
    "tr.json": "f3e8c13002bbce154a4578f535f7533cb70f3da08840e6b62735935baec7bd94",
    "vi.json": "e35926bf5cc6fc6ecbdfca49467aabeb454f08d152d7818143a906bd31dde995",
    "zh.json": "80c2cde7b9c2fb134c303cbb52f2ba396ead9eb0014aec43993543d2ba9e93ed",
}
_TYDI = (
    *(
        f"{name}_tydiqa_dev.json"
        for name in (
            "arabic",
            "bengali",
            "english",
            "finnish",
            "indonesian",
            "korean",
            "russian",
            "swahili",
            "telugu",
        )
    ),
    *(f"{name}_tydiqa_train.json" for name in ("english", "korean", "swahili")),
)
_XOR = {
    "xor_train_retrieve_eng_span.jsonl":
        "f0c8202eebcef9fc129c9bb8e7a12fae1a7648163b249dc0a06df4318923f70b",
    "xor_dev_retrieve_eng_span_v1_1.jsonl":
        "cfe569e4c6d3539c2111d97249f900318f9273b246a61fff95216ce2a2e1505c",
    "xor_dev_full_v1_1.jsonl":
        "2f5145e3bb9e58fd5d25bbb32d289dfa59405999f523295bf80bdecb9e74271e",
}  # fmt: skip
_TRANSLATIONS = (
    f"question-translations/{lang}-en/{side}.txt"
    for lang in ("ar", "bn", "fi", "ja", "ko", "ru", "te")
    for side in (lang, "en")
)
_TEQUAD = (
    "ans_eng",
    "con_eng",
    "corrected_ans_tel",
    "que_eng",
    "que_tel",
    "real_con_tel",
    "span_eng",
    "span_tel",
    "translated_ans_tel",
)
_MKQA = (
    f"{part}.mkqa-{code}.jsonl"
    for part in ("questions", "dev-half")
    for code in ("ar", "en", "es", "fi", "ja", "km", "ko", "ms", "ru", "sv", "tr", "zh_cn")
)
_RAW = "https://raw.githubusercontent.com"

PUBLICATIONS = {
    publication.name: publication
    for publication in (
        Publication("squad", "CC BY-SA 4.0", PARTLY, "https://rajpurkar.github.io/SQuAD-explorer/",
               _SQUAD, url="https://rajpurkar.github.io/SQuAD-explorer/dataset/"),
        Publication("xquad", "CC BY-SA 4.0", EVALUATE, "https://github.com/google-deepmind/xquad",
               _XQUAD, url=f"{_RAW}/google-deepmind/xquad/master/"),
        Publication("xquad-r", "CC BY-SA 4.0", EVALUATE,
               "https://github.com/google-research-datasets/lareqa", _XQUAD_R,
               url=f"{_RAW}/google-research-datasets/lareqa/master/xquad-r/"),
        Publication("tydiqa-goldp", "Apache 2.0", PARTLY,
               "https://github.com/google-research-datasets/tydiqa (gold passages, by language)",
               dict.fromkeys(_TYDI)),
        Publication("jaquad", "CC BY-SA 3.0", TRAIN, "https://github.com/SkelterLabsInc/JaQuAD",
               dict.fromkeys(JAQUAD, ""),
               url=f"{_RAW}/SkelterLabsInc/JaQuAD/23f5d72cc273c49b35e2d9efe0f51757aa1770bd/data/"),
        Publication("arcd", "MIT", TRAIN, "https://github.com/husseinmozannar/SOQAL",
               {"arcd-train.json":
                "6a973fda9f0b066e0547a85a3396e7294fa917e24b6efd7ce430769033a6ce15"},
               url=f"{_RAW}/husseinmozannar/SOQAL/master/data/"),
        Publication("xor-tydi", "CC BY-SA 4.0; its repository MIT", PARTLY,
               "https://github.com/AkariAsai/XORQA (question translations: ar-en.zip, ...)",
               _XOR | dict.fromkeys(_TRANSLATIONS),
               url="https://nlp.cs.washington.edu/xorqa/XORQA_site/data/"),
        Publication("tequad", "none stated", EVALUATE, "https://github.com/maninuthi/TeQuAD",
               {f"{name}.txt": None for name in _TEQUAD}),
        Publication("mkqa", "none stated", PARTLY,
               "https://github.com/mia-workshop/MIA-Shared-Task-2022 (data/eval)",
               dict.fromkeys(_MKQA)),
    )
}  # fmt: skip
