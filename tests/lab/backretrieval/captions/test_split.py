from xorqa.lab.backretrieval.captions.split import is_held_out

IDS = [f"1F{number:03X}" for number in range(1000)]


def test_a_smaller_share_is_a_part_of_a_larger_one():
    held_out = [{id for id in IDS if is_held_out(id, share)} for share in (0, 0.1, 0.3, 1)]
    assert not held_out[0] and held_out[3] == set(IDS)
    assert held_out[1] < held_out[2]
    assert abs(len(held_out[1]) - 100) < 30 and abs(len(held_out[2]) - 300) < 45
