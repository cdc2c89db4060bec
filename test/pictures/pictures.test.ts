import { createCanvas, loadImage } from '@napi-rs/canvas'
import fc from 'fast-check'
import decodeQR from 'qr/decode.js'
import { describe, expect, test } from 'vitest'
import { type PriceListPicture, priceListPictures } from '../../src/pictures/price-list.ts'
import { type ReceiptPicture, receiptPicture } from '../../src/pictures/receipt.ts'
import { render } from '../../src/pictures/render.ts'
import { type StatsPicture, statsPicture } from '../../src/pictures/stats.ts'
import { accentNames, accents, maxHeight, statusHeight, usualAccent } from '../../src/pictures/theme.ts'
import { pesewas } from '../../src/provider/money.ts'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/runs.ts'
import { linesIn, sizeOf, textsIn } from './source.ts'

const hostile = fc.oneof(
  fc.constantFrom(
    'Ama’s Data',
    '<script>&"\'</script>',
    ']]>\u0000\u202E',
    'W'.repeat(500),
    '😀'.repeat(90),
    '',
    'Kwabena & Sons’ Unlimited Data Emporium of Kumasi Adum',
  ),
  fc.string({ unit: anyCharacter, maxLength: 120 }),
)
const amount = fc.integer({ min: 0, max: 9_999_999 }).map(pesewas)

const titled = {
  title: hostile,
  subtitle: hostile,
  accent: fc.constantFrom(...accentNames),
  letter: fc.option(fc.constantFrom('A', 'W', 'Ɛ', 'Щ', '7')),
}

const priceList: fc.Arbitrary<PriceListPicture> = fc.record({
  ...titled,
  note: hostile,
  contact: hostile,
  networks: fc.array(
    fc.record({
      network: fc.oneof(fc.constantFrom('MTN', 'AirtelTigo'), hostile),
      items: fc.array(fc.record({ name: hostile, pricePesewas: amount }), { minLength: 1, maxLength: 20 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const format = fc.constantFrom('post' as const, 'status' as const)

const receipt: fc.Arbitrary<ReceiptPicture> = fc.record({
  ...titled,
  network: hostile,
  volume: hostile,
  phone: hostile,
  status: fc.record({
    word: hostile,
    tone: fc.constantFrom('good' as const, 'open' as const, 'bad' as const),
  }),
  rows: fc.array(fc.record({ label: hostile, value: hostile }), { maxLength: 4 }),
  price: fc.option(fc.record({ label: hostile, value: hostile }), { nil: null }),
  note: hostile,
})

const stats: fc.Arbitrary<StatsPicture> = fc.record({
  title: hostile,
  subtitle: hostile,
  figures: fc.array(
    fc.record({
      label: hostile,
      value: hostile,
      tone: fc.constantFrom('plain' as const, 'gain' as const, 'loss' as const),
    }),
    { minLength: 4, maxLength: 4 },
  ),
  chart: fc.record({
    title: fc.constantFrom('GHS per day'),
    series: fc.constant([
      { label: 'Spent', colour: 'spend' as const },
      { label: 'Profit', colour: 'profit' as const },
    ]),
    groups: fc.array(
      fc.record({
        label: fc.constantFrom('30 Nov', '23:00', 'Wed'),
        values: fc.tuple(amount, fc.integer({ min: -9_999_999, max: 9_999_999 }).map(pesewas)),
      }),
      { minLength: 1, maxLength: 31 },
    ),
  }),
  networks: fc.record({
    title: hostile,
    rows: fc.array(
      fc.record({ network: hostile, delivered: fc.nat(100_000), value: hostile, time: hostile }),
      { maxLength: 9 },
    ),
  }),
})

const attribute = /(?: [a-zA-Z-]+="(?:http:\/\/www\.w3\.org\/2000\/svg|[\w.,# -]*)")*/.source
const plainSource = new RegExp(`^(?:<(?:svg|rect|circle|text)${attribute}/?>|</(?:svg|text)>)*$`)

/** Checks that the picture is well-formed XML, as wide as it should be, and that all its words are within its edges. */
const expectSound = (svg: string): void => {
  // A name or a size may add only words to the picture: no element, address or style.
  expect(svg.replace(/>[^<]*</g, '><')).toMatch(plainSource)
  const { width, height } = sizeOf(svg)
  expect(width).toBe(1080)
  expect(height).toBeLessThan(1.6 * maxHeight)
  for (const { text, left, right, y } of linesIn(svg)) {
    expect({ text, within: left >= 0 && right <= width && y > 0 && y < height }).toEqual({
      text,
      within: true,
    })
  }
}

describe('a picture is well-formed and has no word beyond its edges, whatever its texts,', () => {
  test('if it is a price list', () => {
    fc.assert(
      fc.property(priceList, format, (list, as) => priceListPictures(list, as).forEach(expectSound)),
      { numRuns: runs(60) },
    )
  })
  test('if it is a receipt', () => {
    fc.assert(fc.property(receipt, (each) => expectSound(receiptPicture(each))))
  })
  test('if it shows statistics', () => {
    fc.assert(fc.property(stats, (each) => expectSound(statsPicture(each))))
  })
})

const listOf = (counts: number[]): PriceListPicture => ({
  title: 'Ama’s Data',
  subtitle: 'Data bundles · 21 Nov 2026',
  note: 'Send the number and the size',
  networks: counts.map((count, place) => ({
    network: ['MTN', 'Telecel', 'AirtelTigo', 'BigTime'][place] ?? 'Other',
    items: Array.from({ length: count }, (_, index) => ({
      name: `${index + 1}GB`,
      pricePesewas: pesewas(550 + place * 10_000 + index * 450),
    })),
  })),
})

test.each([
  [[1], 1],
  [[4, 3], 1],
  [[8, 5, 6, 3], 2],
  [[15, 15, 15, 15], 2],
  [[60], 2],
])(
  'a price list whose networks have %j bundles takes %i readable pictures, with each bundle once',
  (counts, pages) => {
    const list = listOf(counts)
    const pictures = priceListPictures(list)
    expect(pictures).toHaveLength(pages)
    for (const svg of pictures) {
      expect(sizeOf(svg).height).toBeLessThanOrEqual(maxHeight)
      expect(textsIn(svg)).toContain(list.title)
      expect(textsIn(svg)).toContain(list.subtitle)
    }
    const drawn = pictures.flatMap(textsIn).filter((text) => /^[\d,]+\.\d\d$/.test(text))
    const asked = list.networks.flatMap(({ items }) => items.map((item) => item.pricePesewas))
    expect(drawn.toSorted()).toEqual(
      asked.map((price) => `${Math.floor(price / 100)}.${String(price % 100).padStart(2, '0')}`).toSorted(),
    )
  },
)

test.each([[1], [9, 6, 7, 7], [60], [30, 30, 30, 30]])(
  'a price list for Status whose networks have %j bundles fills phone screens, with each bundle once',
  (...counts) => {
    const list = listOf(counts)
    const pictures = priceListPictures(list, 'status')
    for (const svg of pictures) expect(sizeOf(svg)).toEqual({ width: 1080, height: statusHeight })
    const prices = pictures.flatMap(textsIn).filter((text) => /^[\d,]+\.\d\d$/.test(text))
    expect(prices).toHaveLength(counts.reduce((total, count) => total + count, 0))
  },
)

/** The contrast of two colours by WCAG 2: from 1 to 21. */
const contrast = (one: string, other: string): number => {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

test.each(accentNames)('a picture’s heading and letter on the colour %s are readable (WCAG AA)', (accent) => {
  const { field, letters, softLetters } = accents[accent]
  expect(contrast(letters, field)).toBeGreaterThanOrEqual(4.5)
  expect(contrast(softLetters, field)).toBeGreaterThanOrEqual(4.5)
  const [svg = ''] = priceListPictures({ ...listOf([4]), accent, letter: 'A' })
  expect(svg).toContain(`<rect x="0" y="0" width="1080" height="192" rx="0" fill="${field}"/>`)
  expect(linesIn(svg).find(({ text }) => text === 'A')?.size).toBeGreaterThanOrEqual(60)
})

test('a picture of a shop without a colour or a letter has the default heading', () => {
  const list = listOf([4])
  expect(priceListPictures(list)).toEqual(priceListPictures({ ...list, accent: usualAccent, letter: null }))
})

test.each(['post', 'status'] as const)(
  'the shop’s number on the %s is readable when shown 360 pixels wide',
  (format) => {
    const code = { url: 'https://t.me/shop_bot', note: 'Scan to check your order' }
    for (const list of [listOf([4]), { ...listOf([4]), code }]) {
      const [svg = ''] = priceListPictures({ ...list, contact: 'Call or message 0241234567' }, format)
      const number = linesIn(svg).find(({ text }) => text.includes('0241234567'))
      expect((number?.size ?? 0) / 3).toBeGreaterThanOrEqual(12)
      const others = linesIn(svg).filter(({ text }) => !text.includes('0241234567'))
      expect(Math.min(...others.map(({ y }) => Math.abs(y - (number?.y ?? 0))))).toBeGreaterThan(40)
    }
  },
)

test('a network is kept in one picture of a price list if that needs no more pictures', () => {
  const [first = '', second = ''] = priceListPictures(listOf([9, 6, 7, 7]))
  expect([first, second].map((svg) => textsIn(svg).filter((text) => /^[A-Z][A-Za-z]+$/.test(text)))).toEqual([
    ['MTN', 'Telecel'],
    ['AirtelTigo', 'BigTime'],
  ])
})

test('names and prices of a price list never overlap', () => {
  const list = listOf([12])
  list.networks[0]?.items.push({ name: '100GB Express Night Bonus', pricePesewas: pesewas(9_999_999) })
  const lines = linesIn(priceListPictures(list)[0] ?? '')
  for (const line of lines) {
    const over = lines.filter(
      (other) =>
        other !== line &&
        Math.abs(other.y - line.y) < 30 &&
        other.left < line.right &&
        line.left < other.right,
    )
    expect(over).toEqual([])
  }
})

test('all sizes and prices of a price list have one font size, as large as the longest line allows', () => {
  const sizes = (items: PriceListPicture['networks'][number]['items']) => {
    const list = { title: 'Shop', subtitle: '', note: '', networks: [{ network: 'MTN', items }] }
    const lines = [
      ...priceListPictures(list)
        .join('')
        .matchAll(/font-size="(\d+)"[^>]*>(?:\d+GB|[\d,]+\.\d\d)</g),
    ]
    expect(lines.length).toBe(items.length * 2)
    return [...new Set(lines.map(([, size]) => Number(size)))]
  }
  const short = Array.from({ length: 20 }, (_, index) => ({
    name: `${index + 1}GB`,
    pricePesewas: pesewas(420),
  }))
  const [large = 0, ...others] = sizes(short)
  const [small = 0, ...more] = sizes([...short, { name: '100000GB', pricePesewas: pesewas(99_999_990) }])
  expect([others, more]).toEqual([[], []])
  expect(small).toBeLessThan(large)
})

test('the name of a bundle’s offer in a price list is drawn in full, on a line of its own if necessary', () => {
  const list = listOf([12])
  list.networks[0]?.items.push({ name: '5GB Express Night', pricePesewas: pesewas(2_600) })
  const words = linesIn(priceListPictures(list)[0] ?? '').map(({ text }) => text)
  expect(words).toContain('Express Night')
})

test('a receipt shows the bundle, the number, the status, and the price if there is one', () => {
  const model: ReceiptPicture = {
    title: 'Ama’s Data',
    subtitle: 'Receipt',
    network: 'MTN',
    volume: '5GB',
    phone: '024 123 4567',
    status: { word: 'delivered', tone: 'good' },
    rows: [{ label: 'Reference', value: 'BUD-API-1' }],
    price: { label: 'Price', value: 'GHS 25.00' },
    note: '',
  }
  expect(textsIn(receiptPicture(model))).toEqual(
    expect.arrayContaining(['MTN', '5GB', '024 123 4567', 'delivered', 'BUD-API-1', 'GHS 25.00']),
  )
  expect(receiptPicture({ ...model, price: null })).not.toContain('GHS')
})

test('a phone can read the QR codes of a price list and of a receipt', async () => {
  const code = { url: `https://t.me/shop_bot?start=s${'Ab1_'.repeat(15)}`, note: 'Scan to see its status' }
  const picture = {
    title: 'Shop',
    subtitle: 'Receipt',
    network: 'MTN',
    volume: '5GB',
    phone: '0241234567',
    status: { word: 'delivered', tone: 'good' as const },
    rows: [],
    price: null,
    note: '',
    code,
  }
  for (const svg of [receiptPicture(picture), ...priceListPictures({ ...listOf([4]), code }, 'status')]) {
    const image = await loadImage(Buffer.from(await render(svg)))
    const context = createCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    expect(decodeQR(context.getImageData(0, 0, image.width, image.height))).toBe(code.url)
  }
})

test('a picture is rendered as a PNG of its size, and invalid SVG fails without harm to the next picture', async () => {
  const [svg = ''] = priceListPictures(listOf([8, 5, 6, 3]))
  const png = Buffer.from(await render(svg))
  expect({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }).toEqual(sizeOf(svg))
  await expect(render('<svg')).rejects.toThrow()
  const several = await Promise.all([svg, svg, svg].map(render))
  expect(new Set(several.map((png) => Buffer.from(png).toString('base64'))).size).toBe(1)
})
