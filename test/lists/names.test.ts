import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeCorrections } from '../../src/lists/meaning/correction.ts'
import { nameKey } from '../../src/lists/names/contact-name.ts'
import { readList } from '../../src/lists/read-list.ts'
import { linesOf } from '../../src/lists/reading/normalize.ts'
import type { ListReading, Names, PriceSnapshot, Problem } from '../../src/lists/reading-result.ts'
import type { Phone } from '../../src/provider/phone.ts'
import { anyCharacter } from '../support/any-character.ts'
import { runs } from '../support/runs.ts'
import { chosen, priceSnapshot } from './market.ts'
import { formats, wantedList } from './rendering.ts'

const kofi = '0241234567' as Phone
const ama = '0551234567' as Phone
const shop = '0531234567' as Phone
const other = '0541234567' as Phone

const names: Names = { kofi, 'ama serwaa': ama, 'shop 2': shop, yaw: null }
const book: PriceSnapshot = { ...priceSnapshot, names }

const verdictsOf = ({ lines }: ListReading): string => lines.map(({ verdict }) => verdict.charAt(0)).join('')

const recipientsOf = ({ recipients }: ListReading): string[] =>
  recipients.map(({ phone, volume, network }) => `${phone} ${volume} ${network}`)

const codesOf = ({ lines }: ListReading): Problem['code'][] => [
  ...new Set(lines.flatMap(({ problems }) => problems.map(({ code }) => code))),
]

describe('a saved name in a list is read as the contact’s number', () => {
  test.each([
    ['alone', 'Kofi 5gb', 'r', [`${kofi} 5GB MTN`]],
    ['with the size first', '5gb kofi', 'r', [`${kofi} 5GB MTN`]],
    ['with a bare size', 'Kofi 5', 'r', [`${kofi} 5GB MTN`]],
    ['in a request', 'please send 5gb for Kofi', 'r', [`${kofi} 5GB MTN`]],
    ['with a network', 'Kofi 5gb mtn', 'r', [`${kofi} 5GB MTN`]],
    ['as two words', 'AMA  SERWÁA: 2 gb', 'r', [`${ama} 2GB MTN`]],
    ['with a number in it', 'Shop 2 5gb', 'r', [`${shop} 5GB MTN`]],
    ['with numbering', '1. Kofi 5gb\n2. Ama Serwaa 2gb', 'rr', [`${kofi} 5GB MTN`, `${ama} 2GB MTN`]],
    ['in a copied chat', '[21/11/2026, 08:12] Boss: Kofi 5gb', 'r', [`${kofi} 5GB MTN`]],
    ['next to numbers', `Kofi 5gb\n${other} 2gb`, 'rr', [`${kofi} 5GB MTN`, `${other} 2GB MTN`]],
    ['below numbers', `${other} 2gb\n\nKofi 5gb`, 'rir', [`${other} 2GB MTN`, `${kofi} 5GB MTN`]],
  ])('if the name is written %s', (_, text, verdicts, recipients) => {
    const reading = readList(text, book)
    expect(codesOf(reading)).toEqual([])
    expect(recipientsOf(reading)).toEqual(recipients)
    expect(verdictsOf(reading)).toBe(verdicts)
  })

  test('unless the name is a heading above a number without a size', () => {
    expect(recipientsOf(readList(`Kofi 2gb\n${other}`, book))).toEqual([`${other} 2GB MTN`])
  })

  test('and the size after the name goes to no number above', () => {
    const reading = readList(`${other}\nKofi 5gb`, book)
    expect(recipientsOf(reading)).toEqual([`${kofi} 5GB MTN`])
    expect(verdictsOf(reading)).toBe('fr')
    expect(reading.questions.map(({ kind }) => kind)).toEqual(['size'])
  })

  test.each([
    ['the same number twice', `Kofi 5gb\n${kofi} 5gb`, 'rf', ['asked']],
    ['a size that is not sold', 'Kofi 7gb', 'f', ['not_sold']],
    ['a crossed-out line', '❌ Kofi 5gb', 'f', ['doubtful_word']],
    ['an order for later', 'Kofi 5gb tomorrow\nKofi 2gb', 'fr', ['no_number']],
    ['two sizes', 'Kofi 5gb 10gb', 'f', ['no_number']],
    ['a multiple', 'Kofi 2x5gb', 'f', ['several_times']],
  ])('unless a line has to be fixed because of %s', (_, text, verdicts, codes) => {
    const reading = readList(text, book)
    expect(verdictsOf(reading)).toBe(verdicts)
    expect(codesOf(reading)).toEqual(codes)
  })
})

describe('an unknown name in a list has to be fixed', () => {
  test('and its problem shows the name and the line', () => {
    const reading = readList(`${other} 1gb\nKofi 2gb\n\nKwabena 5gb`, book)
    expect(verdictsOf(reading)).toBe('rrif')
    expect(reading.lines[3]?.problems).toEqual([
      { code: 'not_saved', name: 'Kwabena', size: { amount: 5, unit: 'GB' }, line: 4 },
    ])
  })

  test('even if its size has no unit, if other lines have saved names', () => {
    const reading = readList('Kofi 5\nKwabena 5', book)
    expect(verdictsOf(reading)).toBe('rf')
    expect(codesOf(reading)).toEqual(['not_saved'])
  })

  test('as has a name that several contacts have', () => {
    expect(readList('Yaw 5gb', book).lines[0]?.problems).toEqual([
      { code: 'several_saved', name: 'Yaw', size: { amount: 5, unit: 'GB' }, line: 1 },
    ])
  })

  test.each([
    ['4. 0201234567', '0201234567 5GB Telecel'],
    ['4. Kwabena 0201234567', '0201234567 5GB Telecel'],
    ['4: 0201234567 2gb', '0201234567 2GB Telecel'],
    ['4. Kofi 5gb', `${kofi} 5GB MTN`],
  ])('and the correction “%s” makes its line ready', (correction, recipient) => {
    const text = `${other} 1gb\n\n\nKwabena 5gb`
    const merged = mergeCorrections(text, correction, book)
    const reading = readList(merged, book)
    expect(verdictsOf(reading)).toBe('riir')
    expect(recipientsOf(reading)).toEqual([`${other} 1GB MTN`, recipient])
  })
})

describe('a list with names for which a bundle was chosen is read right', () => {
  const given = { ...chosen(5), names }

  test.each([
    ['names alone', 'Kofi\nAma Serwaa', 'rr', [`${kofi} 5GB MTN`, `${ama} 5GB MTN`]],
    ['a name next to a number', `Kofi\n${other} `, 'ir', [`${other} 5GB MTN`]],
    ['a name that is not saved', 'Kofi\nKwabena', 'rf', [`${kofi} 5GB MTN`]],
    ['a greeting', 'good morning\nKofi', 'ir', [`${kofi} 5GB MTN`]],
  ])('if the list has %s', (_, text, verdicts, recipients) => {
    const reading = readList(text, given)
    expect(verdictsOf(reading)).toBe(verdicts)
    expect(recipientsOf(reading)).toEqual(recipients)
  })
})

test('every name that a list may contain is looked up, whether or not it is saved', () => {
  const { named } = readList('Kofi 5gb\n0241234567 5gb\nKwabena 2gb\n10gb', priceSnapshot)
  expect(named.map(({ line, request }) => [line, request.written])).toEqual([
    [1, 'Kofi'],
    [3, 'Kwabena'],
  ])
})

const word = fc.oneof(
  fc.constantFrom(
    'Kofi',
    'Ama Serwaa',
    'Shop 2',
    'Yaw',
    'Kwabena',
    '5gb',
    '2',
    '0541234567',
    '\n',
    '\n',
    'mtn',
  ),
  fc.constantFrom(
    'for',
    'please',
    '❌',
    'cancel',
    'x2',
    '10gb',
    'GHS 5',
    '~',
    ':',
    '-',
    '\t',
    'all',
    'total',
  ),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
)
const text = fc.array(word, { maxLength: 24 }).map((words) => words.join(' '))

test('any list with names has a result for every line, and no number that is neither written nor saved', () => {
  fc.assert(
    fc.property(text, fc.constantFrom(null, 5), (written, fixedBundleId) => {
      const reading = readList(written, { ...book, fixedBundleId })
      const { counts, lines } = reading
      expect(counts.ready + counts.fix + counts.ignored).toBe(linesOf(written).length)
      expect(lines.every(({ verdict, problems }) => (verdict === 'fix') === problems.length > 0)).toBe(true)
      for (const { phone, line } of reading.recipients) {
        const own = lines[line - 1]?.text ?? ''
        const known = Object.entries(names).find(([, number]) => number === phone)?.[0]
        const stands = own.includes(phone) || (known !== undefined && nameKey(own).includes(known))
        expect(stands).toBe(true)
      }
    }),
    { numRuns: runs(3_000) },
  )
})

test('saved contacts change nothing in a list of phone numbers', () => {
  const picking = fc.infiniteStream(fc.nat({ max: 2 ** 31 - 1 }))
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      picking,
      fc.constantFrom(...Object.values(formats)),
      (length, numbers, format) => {
        const written = format(wantedList(length, (below) => (numbers.next().value ?? 0) % below))
        const { named: _, ...bare } = readList(written, priceSnapshot)
        const { named: __, ...known } = readList(written, { ...priceSnapshot, names: { nobody: kofi } })
        expect(known).toEqual(bare)
      },
    ),
  )
})
