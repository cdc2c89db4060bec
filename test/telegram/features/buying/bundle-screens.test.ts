import { describe, expect, test } from 'vitest'
import { pesewas } from '../../../../src/provider/money.ts'
import type { Phone } from '../../../../src/provider/phone.ts'
import type { Screen } from '../../../../src/telegram/chat/screen.ts'
import {
  bundlesScreen,
  chooseBundle,
  nearest,
  networksScreen,
  singleWays,
} from '../../../../src/telegram/features/buying/bundle-screens.ts'

const phone = '0231234567' as Phone
const bundle = (id: number, volume: string, network = 'MTN') => ({
  id,
  network,
  volume,
  offerSlug: `offer_${id}`,
  status: 'active',
  pricePesewas: pesewas(100 * id),
})
const sizes = ['100MB', '1GB', '2GB', '3GB', '4GB', '5GB', '6GB', '8GB', '10GB']
const sold = sizes.map((volume, index) => bundle(index + 1, volume))

const labelsOf = ({ rows = [] }: Screen): string[] => rows.flat().map(({ label }) => label)

describe('the screen of a network’s bundles', () => {
  const page = (number: number) =>
    bundlesScreen(sold, 'MTN', number, { ...singleWays('MTN', null), usual: [6] })

  test('has at most eight buttons, with the usual bundles first and starred', () => {
    const labels = labelsOf(page(0))
    expect(labels).toHaveLength(8)
    expect(labels[0]).toBe('⭐ 5GB · GHS 6.00')
    expect(labels.slice(-2)).toEqual(['‹ Back', '▶'])
  })

  test('shows each bundle once, over all its pages', () => {
    const labels = [page(0), page(1)].flatMap(labelsOf).filter((label) => label.includes('GHS'))
    expect(new Set(labels).size).toBe(sold.length)
    expect(labels).toHaveLength(sold.length)
    expect(labelsOf(page(1)).at(-1)).toBe('◀')
  })

  test('has two short labels in each row', () => {
    expect(page(0).rows?.[0]).toHaveLength(2)
  })
})

test('a network that accepts no orders is marked in its button', () => {
  const down = new Map([['MTN', new Date()]])
  expect(labelsOf(networksScreen('', null, { down }))).toEqual(
    expect.arrayContaining(['MTN · down', 'Telecel']),
  )
})

test('if the network of a number is not sold, the size is offered on each network that sells it', () => {
  const bundles = [...sold, bundle(20, '1GB', 'Telecel')]
  const choice = chooseBundle(
    bundles,
    { phone, name: null, bought: [], likely: [] },
    { amount: 1, unit: 'GB' },
    null,
  )
  if (choice.kind !== 'ask') throw new Error('A bundle was chosen.')
  expect(choice.screen.text).toContain('023 belongs to a network I don’t sell')
  expect(labelsOf(choice.screen)).toEqual(['MTN 1GB · GHS 2.00', 'Telecel 1GB · GHS 20.00', '✖️ Cancel'])
})

test('the sizes offered instead of one that is not sold are the nearest by ratio', () => {
  expect(nearest(sold, { amount: 2.5, unit: 'GB' }).map(({ volume }) => volume)).toEqual([
    '2GB',
    '3GB',
    '4GB',
    '5GB',
  ])
})
