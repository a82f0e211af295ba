#!/bin/sh
# `rodbench render`: pictures that others can read, the motion as data, and what is refused.
# shellcheck disable=SC2317 # functions that only `check` calls
set -u
# shellcheck source=tests/e2e.sh
. "$(dirname "$0")/e2e.sh"

rodbench=$build/rodbench
python=/usr/bin/python3

# Evaluates a Python expression of the picture: `text`, its paths, its images (x, y, width, height, title).
holds() { # FILE EXPRESSION
    "$python" -c '
import re, sys, xml.dom.minidom
text = open(sys.argv[1]).read()
svg = xml.dom.minidom.parseString(text).documentElement
paths = re.findall(r"<path color=\"#[0-9a-f]{6}\" d=\"M([^\"]*)\"", text)
images = re.findall(r"rod-image\" x=\"([\d.]+)\" y=\"([\d.]+)\" width=\"([\d.]+)\" height=\"([\d.]+)\"[^>]*><title>([^<]*)", text)
width, height = map(float, svg.getAttribute("viewBox").split()[2:])
starts = [tuple(int(n) / 5 for n in p.split("l")[0].split()) for p in paths]
colours = {tuple(int(c[i:i + 2], 16) for i in (0, 2, 4)) for c in re.findall(r"color=\"#([0-9a-f]{6})\"", text)}
sys.exit(0 if eval("(" + sys.argv[2] + ")") else sys.argv[2])' "$1" "$2"
}

draw() { # NAME SCENE ARGUMENT...
    drawn=$1
    shift
    see "$rodbench" render "$@" -o "$tmp/$drawn.svg"
    check "render_$drawn" test "$status" -eq 0
    check "${drawn}_is_small" test "$(wc -c <"$tmp/$drawn.svg")" -lt 300000
    check "${drawn}_is_inside_its_frame" holds "$tmp/$drawn.svg" '
        len(starts) > 100 and all(-1 <= x <= width + 1 and -1 <= y <= height + 1 for x, y in starts)'
}

draw curl scene2 --frames 200
check methods_stand_side_by_side holds "$tmp/curl.svg" '
    [i[4].split(",")[0] for i in images] == ["quaternion rod", "PBER", "PBD strand"] and
    len({i[1] for i in images}) == 1'
check methods_have_their_colours holds "$tmp/curl.svg" '
    any(b > 1.5 * r for r, g, b in colours) and any(r > 1.5 * b for r, g, b in colours)'
draw strip random --frames 1,10,40
check a_strip_has_an_image_for_each_frame holds "$tmp/strip.svg" '
    [i[4].split(", ")[2] for i in images] == ["frame 1", "frame 10", "frame 40"]'
draw slinky slinky --frames 5
draw hair hair --rods 40 --elements 12 --frames 5
check hair_is_on_a_head holds "$tmp/hair.svg" 'text.count("<circle") == 2'
draw plain scene1 --method pbd --frames 3 --no-labels --width 300 --camera 40,-10
check labels_can_be_left_out holds "$tmp/plain.svg" '"<text" not in text and width == 300'

# The twist of a rod shows in its stripes, and a strand has none.
see "$rodbench" render scene1 --method quaternion --frames 1 -o "$tmp/rod.svg"
see "$rodbench" render scene1 --method pbd --frames 1 -o "$tmp/strand.svg"
check rods_have_light_stripes holds "$tmp/rod.svg" 'any(min(c) > 150 for c in colours) and any(max(c) < 70 for c in colours)'
check strands_are_of_one_colour holds "$tmp/strand.svg" 'all(max(c) - min(c) < 40 for c in colours)'
see "$rodbench" render scene1 --method quaternion --frames 1 -o "$tmp/again.svg"
check the_same_picture_every_time cmp "$tmp/rod.svg" "$tmp/again.svg"

# ---------------------------------------------------------------- motion

# The data as the player reads them, beside what `run --dump` writes.
see "$rodbench" render scene2 --frames 40 --every 20 --method quaternion,pbd -o "$tmp/motion.json"
check render_motion test "$status" -eq 0
see "$rodbench" run scene2 --frames 40 --dump "$tmp/dump.csv"
check motion_is_what_was_simulated "$python" -c '
import base64, csv, json, struct, sys
d = json.load(open(sys.argv[1]))
assert (d["schema"], d["motion"], d["frames"], d["every"]) == (1, "scene2", 3, 20)
rod, strand = d["methods"]
raw = base64.b64decode(rod["data"], validate=True)
each = 6 * 51 + 3 * 50
assert len(raw) == 3 * each and len(base64.b64decode(strand["data"])) == 3 * 6 * 51
last = struct.unpack("<153h", raw[2 * each:2 * each + 306])
points = [row for row in csv.DictReader(open(sys.argv[2])) if row["kind"] == "p"]
wanted = [float(p[c]) for p in points for c in "xyz"]
assert max(abs(a / 32767 * d["scale"] - b) for a, b in zip(last, wanted)) < 1e-3
sides = struct.unpack("<150b", raw[2 * each + 306:3 * each])
assert all(abs(sum(s * s for s in sides[i:i + 3]) / 127 ** 2 - 1) < 0.05 for i in range(0, 150, 3))' \
    "$tmp/motion.json" "$tmp/dump.csv"

# ---------------------------------------------------------------- what is refused

refuses() { # NAME WORD ARGUMENT...
    name=$1 word=$2
    shift 2
    refuses_to "$name" "$word" "$rodbench" render "$@"
}

echo old >"$tmp/kept.svg"
refuses no_scene 'no scene' -o "$tmp/kept.svg"
refuses unknown_scene 'scene9' scene9 -o "$tmp/kept.svg"
refuses no_file 'no -o' scene1
refuses a_folder_that_is_not_there 'No such' scene1 -o "$tmp/nowhere/a.svg"
refuses unknown_method 'quaternion pber pbd' scene1 --method xpbd -o "$tmp/kept.svg"
refuses a_method_twice 'once' scene1 --method pbd,pbd -o "$tmp/kept.svg"
refuses falling_frames 'rising' scene1 --frames 10,5 -o "$tmp/kept.svg"
refuses no_frame 'rising' scene1 --frames , -o "$tmp/kept.svg"
refuses too_many_frames '100000' scene1 --frames 1000000 -o "$tmp/kept.svg"
refuses half_a_camera 'degrees' scene1 --camera 10 -o "$tmp/kept.svg"
refuses a_camera_below_the_ground 'degrees' scene1 --camera 10,91 -o "$tmp/kept.svg"
refuses a_camera_of_words 'degrees' scene1 --camera nan,0 -o "$tmp/kept.svg"
refuses no_width 'width' scene1 --width 0 -o "$tmp/kept.svg"
refuses a_motion_of_two_frames 'every' scene1 --frames 1,2 --every 1 -o "$tmp/kept.svg"
refuses a_motion_too_long 'every' scene1 --frames 50000 --every 1 -o "$tmp/kept.svg"
check a_refused_picture_leaves_the_old_one test "$(cat "$tmp/kept.svg")" = old

end
