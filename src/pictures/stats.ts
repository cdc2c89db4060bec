import type { Pesewas } from '../provider/money.ts'
import { drawable, lettering, sizeFor, widthOf } from './drawable-text.ts'
import { type Box, disc, drawing, field } from './drawing.ts'
import { heading } from './heading.ts'
import { type Accent, coloursOf, ink, margin, width } from './theme.ts'

/** The figures of a period, a bar chart of its money, and the deliveries per network. */
export interface StatsPicture {
  title: string
  subtitle: string
  /** The shop's colour. */
  accent?: Accent
  /** The figures, two in a row. The most important one comes first. */
  figures: { label: string; value: string; tone: 'plain' | 'gain' | 'loss' }[]
  chart: Chart
  networks: {
    title: string
    rows: { network: string; delivered: number; value: string; time: string }[]
  }
}

interface Chart {
  title: string
  series: { label: string; colour: 'spend' | 'profit' }[]
  /** One group for each part of the period, with one value for each of the series. */
  groups: { label: string; values: Pesewas[] }[]
}

const inner = width - 2 * margin
const gap = 28
const padding = 36
const tileHeight = 152
const chartHeight = 560
const networkHeight = 88
/** The most networks in the picture. The text below the picture names any others. */
const maxNetworks = 5

/** Draws the figures of a period as SVG. */
export const statsPicture = ({ figures, chart, networks, ...headed }: StatsPicture): string => {
  const head = heading(headed)
  const top = head.height + 40
  const chartTop = top + Math.ceil(figures.length / 2) * (tileHeight + gap)
  const networksTop = chartTop + chartHeight + gap
  const rows = networks.rows.slice(0, maxNetworks)
  const networksHeight = 104 + rows.length * networkHeight + 16
  const most = Math.max(1, ...rows.map(({ delivered }) => delivered))
  return drawing(networksTop + networksHeight + margin, [
    head.svg,
    ...figures.map((figure, index) => tile(figure, tileBox(index, top), valueSize(figures))),
    chartIn({ x: margin, y: chartTop, width: inner, height: chartHeight }, chart),
    field({ x: margin, y: networksTop, width: inner, height: networksHeight }, ink.card, 28),
    caption(networks.title, networksTop),
    ...rows.map((row, index) => networkRow(row, networksTop + 96 + index * networkHeight, most)),
  ])
}

const tileBox = (index: number, top: number): Box => {
  const tileWidth = (inner - gap) / 2
  const x = margin + (index % 2) * (tileWidth + gap)
  return {
    x,
    y: top + Math.floor(index / 2) * (tileHeight + gap),
    width: tileWidth,
    height: tileHeight,
  }
}

const tones = { plain: ink.dark, gain: ink.good, loss: ink.bad }

/** All figures are drawn in one size: the one at which the longest fits. */
const valueSize = (figures: StatsPicture['figures']): number =>
  Math.min(
    60,
    ...figures.map(({ value }) =>
      sizeFor(drawable(value), [60, 54, 48, 42, 36], (inner - gap) / 2 - 2 * padding),
    ),
  )

const tile = ({ label, value, tone }: StatsPicture['figures'][number], box: Box, size: number): string => {
  const room = box.width - 2 * padding
  return [
    field(box, ink.card, 28),
    lettering(label, { x: box.x + padding, y: box.y + 54, size: 32, fill: ink.soft, most: room }),
    lettering(value, {
      x: box.x + padding,
      y: box.y + 118,
      size,
      fill: tones[tone],
      weight: 'heavy',
      most: room,
    }),
  ].join('')
}

const caption = (text: string, y: number): string =>
  lettering(text, {
    x: margin + padding,
    y: y + 62,
    size: 34,
    fill: ink.dark,
    weight: 'strong',
    most: inner - 2 * padding,
  })

const networkRow = (
  { network, delivered, value, time }: StatsPicture['networks']['rows'][number],
  y: number,
  most: number,
): string => {
  const colours = coloursOf(network)
  const left = margin + padding
  const right = width - margin - padding
  const full = right - left
  const valueWidth = Math.min(widthOf(drawable(value), 34), full / 3)
  return [
    lettering(network, { x: left, y: y + 36, size: 34, fill: ink.dark, weight: 'strong', most: full / 3 }),
    lettering(time, {
      x: right - valueWidth - 28,
      y: y + 36,
      size: 30,
      fill: ink.soft,
      anchor: 'end',
      most: full / 3 - 28,
    }),
    lettering(value, {
      x: right,
      y: y + 36,
      size: 34,
      fill: ink.dark,
      weight: 'strong',
      anchor: 'end',
      most: full / 3,
    }),
    field({ x: left, y: y + 52, width: full, height: 14 }, ink.page, 7),
    delivered > 0
      ? field(
          { x: left, y: y + 52, width: Math.max(14, (full * delivered) / most), height: 14 },
          colours.field,
          7,
        )
      : '',
  ].join('')
}

const chartIn = (box: Box, { title, series, groups }: Chart): string => {
  const scale = scaleOf(groups.flatMap(({ values }) => values))
  const gutter = Math.max(...scale.ticks.map((tick) => widthOf(tickText(tick), 26))) + 20
  const plot = {
    x: box.x + padding + gutter,
    y: box.y + 120,
    width: box.width - 2 * padding - gutter,
    height: box.height - 120 - 76,
  }
  const heightAt = (value: number): number =>
    plot.y + (plot.height * (scale.top - value)) / (scale.top - scale.bottom)
  const step = plot.width / Math.max(1, groups.length)
  return [
    field(box, ink.card, 28),
    caption(title, box.y),
    legend(series, box),
    ...scale.ticks.map((tick) => gridLine(tick, heightAt(tick), plot)),
    ...groups.flatMap(({ values }, index) =>
      barsOf(values, series, { x: plot.x + index * step, step, heightAt }),
    ),
    ...groups.map(({ label }, index) =>
      isLabelled(index, groups.length)
        ? lettering(label, {
            x: plot.x + (index + 0.5) * step,
            y: box.y + box.height - 34,
            size: 26,
            fill: ink.soft,
            anchor: 'middle',
            most: 130,
          })
        : '',
    ),
  ].join('')
}

const legend = (series: Chart['series'], box: Box): string => {
  let right = box.x + box.width - padding
  const parts: string[] = []
  for (const { label, colour } of series.toReversed()) {
    const labelWidth = widthOf(drawable(label), 30)
    parts.push(
      lettering(label, { x: right, y: box.y + 60, size: 30, fill: ink.soft, anchor: 'end', most: 200 }),
      disc(right - labelWidth - 16, box.y + 50, 12, ink[colour]),
    )
    right -= labelWidth + 64
  }
  return parts.join('')
}

const gridLine = (tick: number, y: number, plot: Box): string =>
  [
    field({ x: plot.x, y: y - 1, width: plot.width, height: 2 }, tick === 0 ? ink.softOnNight : ink.line),
    lettering(tickText(tick), {
      x: plot.x - 16,
      y: y + 9,
      size: 26,
      fill: ink.soft,
      anchor: 'end',
      most: 240,
    }),
  ].join('')

const barsOf = (
  values: Pesewas[],
  series: Chart['series'],
  { x, step, heightAt }: { x: number; step: number; heightAt: (value: number) => number },
): string[] => {
  const barWidth = Math.min(64, (step * 0.72) / values.length)
  const first = x + (step - barWidth * values.length) / 2
  return values.map((value, index) => {
    if (value === 0) return ''
    const ends = [heightAt(value), heightAt(0)].sort((a, b) => a - b)
    const [top = 0, bottom = 0] = ends
    const colour = value < 0 ? ink.bad : ink[series[index]?.colour ?? 'spend']
    return field(
      { x: first + index * barWidth + 1, y: top, width: barWidth - 2, height: Math.max(2, bottom - top) },
      colour,
      Math.min(6, barWidth / 4),
    )
  })
}

/**
 * Whether a group gets a label. As many groups get one as there is room for, and always the last one, which is the
 * current part of the period.
 */
const isLabelled = (index: number, count: number): boolean =>
  (count - 1 - index) % Math.max(1, Math.ceil(count / 7)) === 0

interface Scale {
  top: number
  bottom: number
  /** Round amounts from the bottom to the top, including 0. */
  ticks: number[]
}

/** A scale that covers all values in about four equal steps. */
const scaleOf = (values: readonly number[]): Scale => {
  const highest = Math.max(0, ...values)
  const lowest = Math.min(0, ...values)
  const step = roundStep(Math.max(100, highest - lowest) / 4)
  const top = Math.max(1, Math.ceil(highest / step))
  const bottom = Math.floor(lowest / step)
  const ticks = Array.from({ length: top - bottom + 1 }, (_, index) => (bottom + index) * step)
  return { top: top * step, bottom: bottom * step, ticks }
}

/** The next larger number that is 1, 2 or 5 times a power of ten, and at least one cedi. */
const roundStep = (size: number): number => {
  const magnitude = Math.max(100, 10 ** Math.floor(Math.log10(size)))
  return [1, 2, 5, 10].map((factor) => factor * magnitude).find((step) => step >= size) ?? size
}

const tickText = (tick: number): string =>
  `${tick < 0 ? '-' : ''}${Math.abs(tick / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')}`
