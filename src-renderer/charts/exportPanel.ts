import { summarize } from '../../src-shared/stats/series.ts';
import type { Panel } from './panel.ts';
import type { XAxisKind } from './xAxis.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Full digits of everything in view, not of the thinned lines: one row per moment, a column per series, empty for gaps. */
export function panelCsv(panel: Panel, axis: Pick<XAxisKind, 'csv'>, from: number, to: number): string {
  const rows = new Map<number, (number | undefined)[]>();
  panel.series.forEach(({ data }, column) => {
    for (let i = 0; i < data.x.length; i += 1) {
      const at = data.x[i] ?? Number.NaN;
      const value = data.y[i] ?? Number.NaN;
      if (at < from || at > to || Number.isNaN(value)) continue;
      const row = rows.get(at) ?? [];
      row[column] = value;
      rows.set(at, row);
    }
  });
  const unit = panel.scale === 'log' ? 'us' : panel.unit;
  const head = [axis.csv.head, ...panel.series.map(({ label }) => `${label} (${unit})`)]
    .map(quoted)
    .join(',');
  const lines = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([at, row]) => [axis.csv.of(at), ...panel.series.map((_, i) => row[i] ?? '')].join(','));
  return `${[head, ...lines].join('\n')}\n`;
}

/** What stands around a drawn chart where it stands alone. */
export interface Picture {
  title: string;
  unit: string;
  legend: readonly { color: string; dash: string; text: string }[];
}

/** The legend of a panel with the figures of what is in view. */
export function panelPicture({ title, unit, series, format }: Panel, from: number, to: number): Picture {
  return {
    title,
    unit,
    legend: series.map(({ label, color, dash, data }) => {
      const { min, mean, max, last } = summarize(data, from, to);
      const figures = Object.entries({ min, mean, max, last })
        .filter(([, value]) => !Number.isNaN(value))
        .map(([name, value]) => `${name} ${format(value)}`);
      return { color, dash, text: `${label}: ${figures.join(' · ')}` };
    }),
  };
}

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

export async function copySvg(box: HTMLElement | null, picture: Picture): Promise<void> {
  await copyText(pictureSvg(box, picture).text);
}

/** Twice the size on screen, so that it stays sharp in a document. */
export async function copyPng(box: HTMLElement | null, picture: Picture): Promise<void> {
  const { text, width, height } = pictureSvg(box, picture);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob(
    (blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))),
    'image/png',
  );
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': await promise })]);
}

/** The first drawing in a box as a picture that stands alone: colours resolved, title above, legend with its figures below. */
function pictureSvg(
  box: HTMLElement | null,
  picture: Picture,
): { text: string; width: number; height: number } {
  const drawn = box?.querySelector('svg');
  if (!box || !drawn) throw new Error('the chart is not drawn yet');
  const style = getComputedStyle(box);
  const copy = drawn.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('the chart is not a picture');
  inlineStyles(drawn, copy);
  const width = drawn.clientWidth;
  const plotHeight = drawn.clientHeight;
  const height = plotHeight + 32 + picture.legend.length * 18 + 8;
  const root = element('svg', {
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-family': style.fontFamily,
  });
  const ground = getComputedStyle(document.body).getPropertyValue('--panel');
  root.append(element('rect', { width, height, fill: ground }));
  root.append(words(`${picture.title}, ${picture.unit}`, 12, 20, style.color, 600));
  copy.setAttribute('y', '28');
  root.append(copy);
  picture.legend.forEach(({ color, dash, text }, i) => {
    const y = plotHeight + 46 + i * 18;
    const dashed = dash === '' ? {} : { 'stroke-dasharray': dash };
    root.append(
      element('line', {
        ...{ x1: 12, x2: 36, y1: y - 4, y2: y - 4 },
        ...{ stroke: resolve(box, color), 'stroke-width': 2 },
        ...dashed,
      }),
    );
    root.append(words(text, 44, y, style.color));
  });
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

/** CSS variables and classes mean nothing outside this page: every shape gets its colours written on it. */
function inlineStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const name of ['stroke', 'fill', 'fill-opacity', 'font-size', 'font-family', 'stroke-width']) {
    to.setAttribute(name, style.getPropertyValue(name));
  }
  to.removeAttribute('class');
  to.removeAttribute('style');
  Array.from(from.children).forEach((child, i) => {
    const twin = to.children[i];
    if (twin) inlineStyles(child, twin);
  });
}

function resolve(box: HTMLElement, color: string): string {
  const name = /^var\((.+)\)$/.exec(color)?.[1];
  return name === undefined ? color : getComputedStyle(box).getPropertyValue(name);
}

function words(text: string, x: number, y: number, fill: string, weight = 400): SVGElement {
  const node = element('text', { x, y, fill, 'font-size': 12, 'font-weight': weight });
  node.textContent = text;
  return node;
}

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const node = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (!(node instanceof SVGElement)) throw new Error(`${name} is no SVG element`);
  return node;
}

/** A field of CSV (RFC 4180). */
export function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
