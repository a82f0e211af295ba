/* The player of the report: rods moving, drawn on a canvas. Data come from `rodbench render --every`. */
(function () {
  "use strict";
  const root = document.getElementById("player");
  if (!root) return;
  const canvas = root.querySelector("canvas");
  const context = canvas.getContext("2d");
  const button = root.querySelector(".play");
  const scrub = root.querySelector("input[type=range]");
  const clock = root.querySelector(".clock");
  const tabs = Array.from(root.querySelectorAll("[data-scene]"));
  const names = { quaternion: "quaternion rod", pber: "PBER", pbd: "PBD strand" };
  const view = { scene: null, at: 0, playing: false, yaw: 0, pitch: 0, last: 0 };
  const scenes = {};

  /* ---------------------------------------------------------------- data */

  /* Frames of 16-bit positions, each followed by the 8-bit directions of its stripe. */
  function unpack(packed, frames, scale) {
    const raw = atob(packed.data);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    const memory = new DataView(bytes.buffer);
    const points = 3 * (packed.elements + 1), sides = packed.sides ? 3 * packed.elements : 0;
    const all = [];
    for (let frame = 0, at = 0; frame < frames; frame++) {
      const position = new Float32Array(points), side = sides ? new Float32Array(sides) : null;
      for (let i = 0; i < points; i++, at += 2) position[i] = (memory.getInt16(at, true) / 32767) * scale;
      for (let i = 0; i < sides; i++, at++) side[i] = memory.getInt8(at) / 127;
      all.push({ position, side });
    }
    return all;
  }

  function box(methods) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const m of methods)
      for (const f of m.frames)
        for (let i = 0; i < f.position.length; i++) {
          low[i % 3] = Math.min(low[i % 3], f.position[i]);
          high[i % 3] = Math.max(high[i % 3], f.position[i]);
        }
    return { low, high };
  }

  function load(name) {
    if (scenes[name]) return scenes[name];
    const data = JSON.parse(document.getElementById("motion-" + name).textContent);
    const methods = data.methods.map((m) => ({
      method: m.method, iterations: m.iterations, frames: unpack(m, data.frames, data.scale),
      last: m.last_frame,
    }));
    scenes[name] = { data, methods, box: box(methods), seconds: data.frames * data.every * data.dt };
    return scenes[name];
  }

  /* Between two stored frames: 16 a second would be seen to jump. */
  function between(frames, at) {
    const i = Math.min(Math.floor(at), frames.length - 1), j = Math.min(i + 1, frames.length - 1), t = at - i;
    const mix = (a, b) => a.map((v, k) => v + t * (b[k] - v));
    const a = frames[i], b = frames[j];
    return { position: mix(a.position, b.position), side: a.side && mix(a.side, b.side) };
  }

  /* ---------------------------------------------------------------- camera */

  function turned(x, y, z) {
    const cy = Math.cos(view.yaw), sy = Math.sin(view.yaw), cp = Math.cos(view.pitch), sp = Math.sin(view.pitch);
    const ax = cy * x + sy * z, az = cy * z - sy * x;
    return [ax, cp * y - sp * az, sp * y + cp * az];
  }

  /* The extent of the box as the camera first sees it: turning must not change the size. */
  function extent(scene) {
    const keep = { yaw: view.yaw, pitch: view.pitch };
    view.yaw = (scene.data.yaw * Math.PI) / 180;
    view.pitch = (scene.data.pitch * Math.PI) / 180;
    const { low, high } = scene.box;
    let wide = 0, tall = 0;
    for (let i = 0; i < 8; i++) {
      const c = [0, 1, 2].map((k) => ((i >> k) & 1 ? 0.5 : -0.5) * (high[k] - low[k]));
      const p = turned(c[0], c[1], c[2]);
      wide = Math.max(wide, 2 * Math.abs(p[0]));
      tall = Math.max(tall, 2 * Math.abs(p[1]));
    }
    Object.assign(view, keep);
    return { wide: wide + 6 * scene.data.radius, tall: tall + 6 * scene.data.radius };
  }

  /* Side by side or one above the other, whichever shows more. */
  function layout(scene, width, height) {
    const size = extent(scene), count = scene.methods.length, label = 42;
    let best = null;
    for (const columns of [count, 1]) {
      const rows = count / columns, w = width / columns, h = height / rows;
      const scale = Math.min((w - 8) / size.wide, (h - label - 8) / size.tall);
      if (!best || scale > best.scale * 1.05) best = { columns, w, h, scale, label };
    }
    return best;
  }

  /* ---------------------------------------------------------------- drawing */

  function colours() {
    const style = getComputedStyle(root);
    const read = (name) => style.getPropertyValue("--" + name).trim();
    return { ink: read("ink"), muted: read("muted"), quaternion: read("quaternion"), pber: read("pber"),
      pbd: read("pbd"), text: { quaternion: read("quaternion-text"), pber: read("pber-text"), pbd: read("pbd-text") } };
  }

  function stroke(a, b, width, colour, dx, dy) {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.beginPath();
    context.moveTo(a[0] + dx, a[1] + dy);
    context.lineTo(b[0] + dx, b[1] + dy);
    context.stroke();
  }

  function drawRod(scene, state, colour, centre, scale) {
    const { low, high } = scene.box, n = state.position.length / 3 - 1, radius = scene.data.radius * scale;
    const seen = [];
    for (let i = 0; i <= n; i++) {
      const p = turned(...[0, 1, 2].map((k) => state.position[3 * i + k] - 0.5 * (low[k] + high[k])));
      seen.push([centre[0] + p[0] * scale, centre[1] - p[1] * scale, p[2]]);
    }
    const order = Array.from({ length: n }, (_, i) => i).sort(
      (a, b) => seen[a][2] + seen[a + 1][2] - seen[b][2] - seen[b + 1][2]);
    for (const i of order) {
      const a = seen[i], b = seen[i + 1];
      context.lineCap = "butt";
      stroke(a, b, 2 * radius, "rgba(0,0,0,.55)", 0, 0);
      context.lineCap = "round";
      stroke(a, b, 1.7 * radius, colour, 0, 0);
      stroke(a, b, 0.5 * radius, "rgba(255,255,255,.22)", -0.3 * radius, -0.35 * radius);
      if (state.side) {
        const s = turned(state.side[3 * i], state.side[3 * i + 1], state.side[3 * i + 2]);
        const light = s[2] > 0, facing = Math.abs(s[2]), sign = light ? 1 : -1;
        if (facing > 0.15)
          stroke(a, b, (light ? 0.75 : 0.5) * facing * radius, light ? "rgba(255,255,255,.9)" : "rgba(0,0,0,.6)",
            0.72 * radius * s[0] * sign, -0.72 * radius * s[1] * sign);
      }
    }
  }

  function drawLabel(m, colour, muted, x, y, room) {
    const small = room < 150;
    context.textAlign = "center";
    context.fillStyle = colour;
    context.font = (small ? "600 12.5px" : "600 15px") + " system-ui, sans-serif";
    context.fillText(names[m.method], x, y);
    context.fillStyle = muted;
    context.font = (small ? "12px" : "13px") + " system-ui, sans-serif";
    context.fillText(m.iterations + (m.iterations === 1 ? " iteration" : " iterations"), x, y + 18);
  }

  function draw() {
    const scene = load(view.scene), ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const at = view.at * (scene.data.frames - 1), place = layout(scene, width, height), paint = colours();
    scene.methods.forEach((m, i) => {
      const x = ((i % place.columns) + 0.5) * place.w, top = Math.floor(i / place.columns) * place.h;
      drawRod(scene, between(m.frames, at), paint[m.method], [x, top + (place.h + place.label) / 2], place.scale);
      drawLabel(m, paint.text[m.method], paint.muted, x, top + 16, place.w);
    });
    scrub.value = String(Math.round(1000 * view.at));
    clock.textContent = (view.at * scene.seconds).toFixed(1) + " s";
    root.dataset.at = view.at.toFixed(4);
  }

  /* ---------------------------------------------------------------- playing */

  function tick(now) {
    if (!view.playing) return;
    const passed = view.last ? (now - view.last) / 1000 : 0;
    view.last = now;
    view.at += passed / load(view.scene).seconds;
    if (view.at >= 1) {
      view.at = 1;
      setPlaying(false);
    }
    draw();
    if (view.playing) requestAnimationFrame(tick);
  }

  function setPlaying(on) {
    if (on && view.at >= 1) view.at = 0;
    view.playing = on;
    view.last = 0;
    button.textContent = on ? "Pause" : "Play";
    button.setAttribute("aria-pressed", String(on));
    if (on) requestAnimationFrame(tick);
  }

  function choose(name) {
    const scene = load(name);
    view.scene = name;
    view.at = 0;
    view.yaw = (scene.data.yaw * Math.PI) / 180;
    view.pitch = (scene.data.pitch * Math.PI) / 180;
    tabs.forEach((t) => t.setAttribute("aria-pressed", String(t.dataset.scene === name)));
    draw();
  }

  function rotate(dx, dy) {
    view.yaw += dx;
    view.pitch = Math.max(-1.5, Math.min(1.5, view.pitch + dy));
    draw();
  }

  button.addEventListener("click", () => setPlaying(!view.playing));
  tabs.forEach((t) => t.addEventListener("click", () => { choose(t.dataset.scene); setPlaying(true); }));
  scrub.addEventListener("input", () => { setPlaying(false); view.at = scrub.value / 1000; draw(); });

  let held = null;
  canvas.addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", (e) => {
    if (!held) return;
    rotate((e.clientX - held[0]) * 0.01, (e.clientY - held[1]) * 0.01);
    held = [e.clientX, e.clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = null; });
  canvas.addEventListener("keydown", (e) => {
    const turns = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
    if (turns) { rotate(turns[0], turns[1]); e.preventDefault(); }
    if (e.key === " ") { setPlaying(!view.playing); e.preventDefault(); }
  });
  window.addEventListener("resize", draw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  choose(tabs[0].dataset.scene);
  view.at = 0.6; /* a picture to begin with, not a straight row, and some of the fall left to play */
  draw();
})();
