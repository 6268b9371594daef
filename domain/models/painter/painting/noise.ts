/** Smooth random noise: lines for ridges, fields for clouds and colour. */

const TABLE = 256;

/** Value noise in octaves over a line; about -1 to 1. */
export function lineNoise(random: () => number, octaves: number): (x: number) => number {
  const table = Float32Array.from({ length: TABLE }, () => random() * 2 - 1);
  return (x) => {
    let [sum, weight, total] = [0, 1, 0];
    for (let octave = 0; octave < octaves; octave++) {
      const cell = Math.floor(x);
      const share = x - cell;
      const ease = share * share * (3 - 2 * share);
      const from = table[(cell + octave * 37) & 255]!;
      const to = table[(cell + 1 + octave * 37) & 255]!;
      sum += (from + (to - from) * ease) * weight;
      total += weight;
      weight *= 0.48;
      x *= 2.03;
    }
    return sum / total;
  };
}

/** A field of value noise, repeating every `TABLE / 4` cells; 0 to 1. One lookup a pixel. */
export function fieldNoise(random: () => number): (x: number, y: number) => number {
  const size = TABLE;
  const field = new Float32Array(size * size);
  for (let [cells, weight] = [4, 0.5]; cells <= 64; cells *= 2, weight *= 0.5) {
    const grid = Float32Array.from({ length: cells * cells }, random);
    const places = placesIn(cells);
    for (let y = 0; y < size; y++) {
      const row = places.first[y]! * cells;
      const nextRow = places.next[y]! * cells;
      const easeY = places.ease[y]!;
      for (let x = 0; x < size; x++) {
        const column = places.first[x]!;
        const nextColumn = places.next[x]!;
        const easeX = places.ease[x]!;
        const top = grid[row + column]! * (1 - easeX) + grid[row + nextColumn]! * easeX;
        const low = grid[nextRow + column]! * (1 - easeX) + grid[nextRow + nextColumn]! * easeX;
        field[y * size + x]! += (top * (1 - easeY) + low * easeY) * weight;
      }
    }
  }
  return (x, y) => {
    const left = Math.floor(x * 64);
    const top = Math.floor(y * 64);
    const share = x * 64 - left;
    const x0 = left & 255;
    const x1 = (left + 1) & 255;
    const y0 = (top & 255) * size;
    const y1 = ((top + 1) & 255) * size;
    const upper = field[y0 + x0]! + (field[y0 + x1]! - field[y0 + x0]!) * share;
    const lower = field[y1 + x0]! + (field[y1 + x1]! - field[y1 + x0]!) * share;
    return upper + (lower - upper) * (y * 64 - top);
  };
}

interface Places {
  /** The grid's cell before a place of the table, and the one after it. */
  first: Uint8Array;
  next: Uint8Array;
  /** How much of the cell after it a place takes. */
  ease: Float64Array;
}

/** Where the table's places lie in a grid. Found once per grid, because rows and columns share them. */
function placesIn(cells: number): Places {
  const places = {
    first: new Uint8Array(TABLE),
    next: new Uint8Array(TABLE),
    ease: new Float64Array(TABLE),
  };
  for (let place = 0; place < TABLE; place++) {
    const at = place * cells / TABLE;
    const first = Math.floor(at);
    const share = at - first;
    places.first[place] = first % cells;
    places.next[place] = (first + 1) % cells;
    places.ease[place] = share * share * (3 - 2 * share);
  }
  return places;
}
