/** Light, haze and sky, which land, road and sky share. */
const LIGHT = /* glsl */ `
uniform vec3 sun;
uniform vec3 sunColour;
uniform vec3 fromSky;
uniform vec3 fromGround;
uniform vec3 zenith;
uniform vec3 horizon;
uniform float clouds;
uniform float hazeFrom;
uniform float hazeFade;

float hash(vec2 at) {
  return fract(sin(dot(at, vec2(127.1, 311.7))) * 43758.5453);
}

float noise(vec2 at) {
  vec2 cell = floor(at);
  vec2 part = fract(at);
  part = part * part * (3.0 - 2.0 * part);
  return mix(
    mix(hash(cell), hash(cell + vec2(1.0, 0.0)), part.x),
    mix(hash(cell + vec2(0.0, 1.0)), hash(cell + vec2(1.0, 1.0)), part.x),
    part.y
  );
}

vec3 skyWithoutClouds(vec3 to) {
  vec3 colour = mix(horizon, zenith, 1.0 - exp(-4.0 * max(0.0, to.y)));
  float near = max(0.0, dot(to, sun));
  return colour + sunColour * (0.22 * pow(near, 6.0) + 0.5 * pow(near, 90.0)) * (1.0 - 0.8 * clouds);
}

vec3 lit(vec3 albedo, vec3 normal, float open) {
  vec3 light = mix(fromGround, fromSky, 0.5 + 0.5 * normal.y) * open;
  return albedo * (light + sunColour * max(0.0, dot(normal, sun)));
}

vec3 hazed(vec3 colour, vec3 world) {
  vec3 to = world - cameraPosition;
  float far = length(to);
  float share = 1.0 - exp(-max(0.0, far - hazeFrom) / hazeFade);
  vec3 level = normalize(vec3(to.x, 0.02 * far, to.z));
  return mix(colour, skyWithoutClouds(level), share);
}
`

/** Moves a point away from the camera in depth only, by metres and a share of the distance. */
const PUSHED = /* glsl */ `
vec4 pushed(vec4 view, float metres, float share) {
  vec4 clip = projectionMatrix * view;
  float far = length(view.xyz);
  vec4 behind = projectionMatrix * vec4(view.xyz * (1.0 + metres / far + share), 1.0);
  clip.z = behind.z / behind.w * clip.w;
  return clip;
}
`

export const LAND_VERTEX = /* glsl */ `
attribute float toRoad;
varying vec3 world;
varying vec3 up;
varying float away;
${PUSHED}
void main() {
  world = position;
  up = normal;
  away = toRoad;
  // Roads and lines lie on the land, which is only as fine as its grid. So the land yields to them.
  gl_Position = pushed(viewMatrix * vec4(position, 1.0), 1.0, 0.012);
}
`

export const LAND_FRAGMENT = /* glsl */ `
varying vec3 world;
varying vec3 up;
varying float away;
uniform vec3 landLow;
uniform vec3 landHigh;
uniform float contourM;
${LIGHT}
void main() {
  vec3 normal = normalize(up);
  float fields = noise(world.xz / 210.0) * 0.6 + noise(world.xz / 63.0) * 0.4;
  vec3 albedo = mix(landLow, landHigh, smoothstep(0.25, 0.8, fields) * 0.75);
  albedo *= 1.0 + 0.22 * (1.0 - smoothstep(7.0, 26.0, away));
  // Lines of equal height. They fade before they are closer than the pixels.
  float height = world.y / contourM;
  float width = fwidth(height);
  float line = 1.0 - smoothstep(0.5, 1.4, abs(fract(height - 0.5) - 0.5) / max(width, 1e-5));
  albedo *= 1.0 - 0.2 * line * (1.0 - smoothstep(0.12, 0.4, width));
  float shadow = smoothstep(0.5, 0.75, noise(world.xz / 700.0 + 7.0)) * 0.4 * clouds * (1.0 - clouds);
  float open = (1.0 - 0.3 * exp(-away / 12.0)) * (1.0 - shadow);
  vec3 colour = lit(albedo, normal, open) * (1.0 - shadow);
  gl_FragColor = vec4(hazed(colour, world), 1.0);
  #include <colorspace_fragment>
}
`

export const ROAD_VERTEX = /* glsl */ `
attribute vec2 left;
attribute float side;
attribute vec2 edges;
attribute float kerb;
attribute float along;
uniform float focalPx;
uniform float leastPx;
varying vec3 world;
varying vec3 up;
varying float across;
varying vec2 edge;
varying float kerbShare;
varying float metres;
varying float pixelM;
${PUSHED}
const float BESIDE = 5.0;
void main() {
  float depth = -(viewMatrix * vec4(position, 1.0)).z;
  pixelM = max(depth, 1.0) / focalPx;
  // Never narrower than some pixels, as on the flat map.
  float scale = max(1.0, leastPx * pixelM / (edges.x + edges.y));
  edge = edges * scale;
  float reach = side > 0.0 ? edge.x : edge.y;
  across = side * (reach + BESIDE * scale);
  world = position + vec3(left.x, 0.0, left.y) * across;
  up = normal;
  kerbShare = kerb;
  metres = along;
  gl_Position = pushed(viewMatrix * vec4(world, 1.0), 0.3, 0.005);
}
`

export const ROAD_FRAGMENT = /* glsl */ `
varying vec3 world;
varying vec3 up;
varying float across;
varying vec2 edge;
varying float kerbShare;
varying float metres;
varying float pixelM;
uniform vec3 roadColour;
uniform float lengthM;
uniform float isClosed;
uniform float paint;
${LIGHT}
const vec3 KERB_RED = vec3(0.56, 0.055, 0.06);
const vec3 PAINT = vec3(0.72, 0.74, 0.76);
void main() {
  float inside = min(edge.x - across, across + edge.y);
  // The road is seen at an angle, so a pixel is longer across it than at right angles.
  float pixelAcrossM = max(pixelM, 0.7 * fwidth(across));
  float kerbM = max(1.3, 2.2 * pixelAcrossM);
  float lineM = max(0.22, 0.6 * pixelAcrossM);
  float soft = 0.7 * pixelAcrossM;
  vec3 albedo = roadColour * (0.92 + 0.16 * noise(vec2(metres * 0.35, across * 1.7)));
  // Rubber where the laps were driven.
  albedo *= 1.0 - 0.2 * exp(-across * across / 5.0);
  albedo = mix(PAINT * paint, albedo, smoothstep(lineM - soft, lineM + soft, inside));
  float toLine = min(metres, lengthM - metres);
  float startM = max(1.2, 2.0 * pixelM);
  if (isClosed > 0.5 && toLine < startM) {
    float square = mod(floor(across / startM) + floor(metres / startM), 2.0);
    albedo = mix(PAINT, vec3(0.02), square);
  }
  float alpha = 1.0;
  if (inside < 0.0) {
    float isKerb = kerbShare * (1.0 - smoothstep(kerbM - soft, kerbM + soft, -inside));
    float stripeM = 2.4 * exp2(ceil(log2(max(1.0, 3.0 * pixelM / 2.4))));
    vec3 stripe = mix(KERB_RED, PAINT, step(0.5, fract(metres / (2.0 * stripeM))));
    // The shade of the road's bed, beside it.
    float shade = 0.42 * exp(inside / max(2.2, 2.5 * pixelAcrossM));
    albedo = mix(vec3(0.0), stripe, step(0.5, isKerb));
    alpha = mix(shade, 1.0, step(0.5, isKerb));
  }
  vec3 colour = lit(albedo, normalize(up), 1.0);
  gl_FragColor = vec4(hazed(colour, world), alpha);
  #include <colorspace_fragment>
}
`

export const SKY_VERTEX = /* glsl */ `
varying vec3 to;
uniform mat4 fromClip;
void main() {
  vec4 far = fromClip * vec4(position.xy, 1.0, 1.0);
  to = far.xyz / far.w - cameraPosition;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
`

export const SKY_FRAGMENT = /* glsl */ `
varying vec3 to;
${LIGHT}
void main() {
  vec3 direction = normalize(to);
  vec3 colour = skyWithoutClouds(direction);
  if (direction.y > 0.005) {
    vec2 at = direction.xz / (direction.y + 0.12) * 1.6;
    float puffs = noise(at) * 0.55 + noise(at * 2.3 + 3.0) * 0.28 + noise(at * 5.1 + 9.0) * 0.17;
    float cover = smoothstep(1.0 - clouds, 1.35 - clouds, puffs + 0.18);
    vec3 cloud = mix(horizon, fromSky + 0.6 * sunColour, 0.55);
    colour = mix(colour, cloud, cover * 0.7 * smoothstep(0.005, 0.16, direction.y));
  }
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}
`
