import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ListAnswers, nothingShown, type Shown, select } from '../../../../src/domain/list-draft.ts'
import type { Purchase } from '../../../../src/domain/order/order.ts'
import { text as cell } from '../../../../src/exports/cell-value.ts'
import type {
  Note,
  Problem,
  Question,
  ReadLine,
  ReadRecipient,
} from '../../../../src/lists/reading-result.ts'
import type { Size } from '../../../../src/lists/size.ts'
import type { Preview } from '../../../../src/orders/listing/list-preview.ts'
import type { Bundle, Phone } from '../../../../src/provider/index.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import { previewCard } from '../../../../src/telegram/cards/lists/list-preview.ts'
import { readingRows } from '../../../../src/telegram/cards/lists/list-reading.ts'
import * as words from '../../../../src/telegram/cards/words/list-preview.ts'
import { keyboardOf } from '../../../../src/telegram/chat/screen.ts'
import { runs } from '../../../support/runs.ts'
import { hostile, readAsTelegram } from '../../words/outside.ts'

const phone = fc.constantFrom('0241234567', '0201234567').map((digits) => digits as Phone)
const amount = fc.nat(10 ** 9).map(pesewas)
const size = fc.constantFrom<Size>(
  { amount: 1, unit: 'GB' },
  { amount: 2.5, unit: 'GB' },
  { amount: 99_999, unit: 'MB' },
)
const bundle: fc.Arbitrary<Bundle> = fc
  .record({ id: fc.nat(9), network: hostile, volume: hostile, pricePesewas: amount, offerSlug: hostile })
  .map((fields) => ({ status: 'active', ...fields }) as unknown as Bundle)
const many = <T>(values: fc.Arbitrary<T>) => fc.array(values, { maxLength: 30 })

const problems: { [Code in Problem['code']]: fc.Arbitrary<Omit<Extract<Problem, { code: Code }>, 'code'>> } =
  {
    phone_short: fc.record({ written: hostile, missing: fc.nat(9) }),
    phone_long: fc.record({ written: hostile, extra: fc.nat(10 ** 9) }),
    landline: fc.record({ written: hostile }),
    phone_abroad: fc.record({ written: hostile }),
    phone_damaged: fc.record({ written: hostile, suggestion: fc.option(phone) }),
    phone_unclear: fc.record({ written: hostile }),
    scientific: fc.record({ written: hostile }),
    two_sizes: fc.record({ written: many(hostile) }),
    several_times: fc.record({ written: hostile }),
    decimal_comma: fc.record({ written: hostile, suggestion: fc.option(size) }),
    not_paired: fc.record({ phones: fc.nat(), sizes: fc.nat() }),
    numbering_or_size: fc.record({ written: hostile }),
    two_networks: fc.record({ networks: many(hostile) }),
    network_unclear: fc.record({ written: hostile, phone }),
    network_unknown: fc.record({ phone }),
    not_sold: fc.record({ phone, network: fc.option(hostile), size, nearest: many(bundle) }),
    no_number: fc.record({ size }),
    not_saved: fc.record({ name: hostile, size: fc.option(size), line: fc.nat() }),
    several_saved: fc.record({ name: hostile, size: fc.option(size), line: fc.nat() }),
    doubtful_word: fc.record({ written: hostile }),
    unclear: fc.record({ written: hostile }),
    too_long: fc.record({ longest: fc.nat() }),
    truncation: fc.record({}),
    heading_lost: fc.record({}),
    asked: fc.record({ question: fc.constantFrom('size' as const, 'duplicates' as const) }),
  }
const problem = fc.oneof(
  ...Object.entries(problems).map(([code, rest]) =>
    (rest as fc.Arbitrary<object>).map((fields) => ({ code, ...fields }) as Problem),
  ),
)

const note: fc.Arbitrary<Note> = fc.oneof(
  fc.record({ code: fc.constant('zero_restored' as const), phone }),
  fc.record({
    code: fc.constant('other_price' as const),
    phone,
    writtenPesewas: amount,
    pricePesewas: amount,
  }),
  fc.record({ code: fc.constant('other_prefix' as const), phone, network: hostile, likely: many(hostile) }),
  fc.record({ code: fc.constant('repeated' as const), phone, line: fc.nat() }),
  fc.record({ code: fc.constant('dropped' as const), phone }),
  fc.record({ code: fc.constant('size_not_used' as const), size }),
)

const choices = fc.array(fc.record({ answer: hostile, fits: fc.nat(40) }), { minLength: 1, maxLength: 40 })
const whom = many(fc.record({ phone, lines: fc.array(fc.nat(10_000), { minLength: 1, maxLength: 9 }) }))
const asked = { key: hostile, choices, lines: fc.constant<number[]>([1]), count: fc.nat(40), whom }
const question = fc.oneof(
  fc.record({ ...asked, kind: fc.constant('duplicates' as const) }),
  fc.record({ ...asked, kind: fc.constant('size' as const) }),
  fc.record({
    ...asked,
    kind: fc.constant('network' as const),
    networks: fc.array(hostile, { maxLength: 4 }),
  }),
  fc.record({ ...asked, kind: fc.constant('offer' as const), network: hostile, size, bundles: many(bundle) }),
  fc.record({
    ...asked,
    kind: fc.constant('mismatch' as const),
    chosen: bundle,
    likely: fc.array(hostile, { maxLength: 4 }),
  }),
  fc.record({ ...asked, kind: fc.constant('other_size' as const), chosen: bundle, sizes: many(size) }),
) as fc.Arbitrary<Question>

const recipient: fc.Arbitrary<ReadRecipient> = fc.record({
  line: fc.nat(),
  phone,
  bundleId: fc.nat(30),
  network: hostile,
  volume: hostile,
  offerSlug: fc.option(hostile),
  pricePesewas: amount,
  notes: fc.array(note, { maxLength: 3 }),
})

const line: fc.Arbitrary<ReadLine> = fc.record({
  number: fc.integer({ min: 1, max: 10_000 }),
  text: hostile,
  verdict: fc.constantFrom('ready' as const, 'fix' as const, 'ignored' as const),
  problems: fc.array(problem, { maxLength: 20 }),
  notes: fc.array(note, { maxLength: 3 }),
  written: fc.constant([]),
  recipients: fc.array(recipient, { maxLength: 2 }),
}) as fc.Arbitrary<Omit<ReadLine, 'together'>> as fc.Arbitrary<ReadLine>

const purchase = { id: 'p'.repeat(22), kind: 'list', state: 'draft' } as Purchase

const preview: fc.Arbitrary<Preview> = fc
  .record({
    lines: fc.array(line, { maxLength: 40 }),
    questions: fc.array(question, { maxLength: 6 }),
    bundles: fc.array(bundle, { maxLength: 30 }),
    balancePesewas: fc.option(amount),
    waiting: many(phone),
    networks: fc.array(hostile, { maxLength: 4 }),
    recent: many(fc.record({ phone, bundleId: fc.nat(30), orderId: hostile, reference: fc.option(hostile) })),
    fixedBundleId: fc.option(fc.nat(9)),
    answers: fc.record({
      questions: fc.dictionary(
        fc.constantFrom('duplicates', 'size', 'network:MTN', 'offer:MTN 5GB', 'mismatch', 'other_size', 'x'),
        fc.oneof(hostile, fc.constantFrom('one', 'both', 'keep', 'drop', '4', '5GB')),
      ),
      recent: fc.constantFrom('skip' as const, 'order' as const),
      fits: fc.boolean(),
    }),
    remark: fc.constantFrom(
      null,
      'price_changed' as const,
      'balance_changed' as const,
      'waited_long' as const,
    ),
  })
  .map(({ lines, questions, answers, fixedBundleId, remark, ...shown }) => {
    const numbered = lines.map((each, index) => ({ ...each, number: index + 1, together: [index + 1] }))
    const recipients = numbered.flatMap((each) => each.recipients)
    const counts = { ready: 3, fix: 10_000, ignored: 2 }
    const priceSnapshot = { ...nothingShown, ...shown }
    return {
      purchase: { ...purchase, remark },
      list: { purchaseId: purchase.id, text: '', answers, fixedBundleId, shown: priceSnapshot },
      reading: { lines: numbered, counts, recipients, questions, named: [] },
      selection: select({ recipients }, answers as ListAnswers, priceSnapshot),
      digest: '12345678',
    }
  })

test('every page of a list’s preview is valid for Telegram, whatever the list and the provider contain', () => {
  fc.assert(
    fc.property(preview, fc.nat(6), fc.boolean(), (values, page, isMore) => {
      const screen = previewCard(values, { page, isMore })
      readAsTelegram(screen.text)
      const keys = keyboardOf(screen).inline_keyboard.flat()
      expect(keys.length).toBeLessThanOrEqual(values.reading.questions.length > 0 || isMore ? 8 : 6)
      for (const { text } of keys) expect(text.trim()).not.toBe('')
    }),
    { numRuns: runs(500) },
  )
})

test('the file of all lines of a list has at least one row for each line, whatever the list contains', () => {
  fc.assert(
    fc.property(preview, (values) => {
      const rows = readingRows(values)
      expect(rows.length).toBeGreaterThanOrEqual(values.reading.lines.length)
      expect(JSON.stringify(rows.flat().filter((cell) => cell !== null))).not.toMatch(
        /undefined|NaN|\[object/,
      )
    }),
  )
})

test('the file of all lines of a list says why each number is not ordered', () => {
  const named = (line: number, network = 'MTN'): ReadRecipient => ({
    line,
    phone: '0241234567' as Phone,
    bundleId: line,
    network,
    volume: '5GB',
    offerSlug: null,
    pricePesewas: pesewas(100),
    notes: [],
  })
  const recipients = [1, 2, 3, 4, 5].map((line) => named(line)).concat(named(6, 'Telecel'), named(7, 'AT'))
  const lineOf = (each: ReadRecipient): ReadLine => ({
    number: each.line,
    together: [each.line],
    text: '',
    verdict: 'ready',
    recipients: [each],
    written: [],
    problems: [],
    notes: [],
  })
  const remarksOf = (answers: Partial<ListAnswers>, shown: Partial<Shown>) => {
    const all = { questions: {}, recent: 'skip' as const, fits: true, ...answers }
    const selection = select({ recipients }, all, { ...nothingShown, balancePesewas: pesewas(200), ...shown })
    const reading = { lines: recipients.map(lineOf), recipients, questions: [], named: [] }
    return readingRows({ reading, selection } as unknown as Preview).map((row) => row.at(-1))
  }
  const done = [1, 2, 3].map((line) => `${line} 0241234567 ${line}`)
  const unordered = { repeated: done.slice(1, 2), barred: done.slice(2) }
  const first = { phone: '0241234567' as Phone, bundleId: 4, orderId: '1', reference: 'BUD-API-1' }
  expect(remarksOf({ done, unordered }, { recent: [first], networks: ['MTN', 'AT'], down: ['AT'] })).toEqual([
    cell(words.doneBefore('ordered')),
    cell(words.doneBefore('repeated')),
    cell(words.doneBefore('barred')),
    cell(words.skippedRepeat('BUD-API-1')),
    cell(''),
    cell(words.leftOut('barred')),
    cell(words.leftOut('down')),
  ])
  expect(remarksOf({ done, unordered, recent: 'order' }, { recent: [first] }).slice(3)).toEqual([
    ...Array(2).fill(cell('')),
    ...Array(2).fill(cell(words.leftOut('cut'))),
  ])
})

test('every question and short answer about a list’s preview is valid for Telegram', () => {
  fc.assert(
    fc.property(bundle, hostile, fc.nat(10_000), (sold, word, count) => {
      const texts = [
        words.askNetwork,
        words.askBundle(word),
        words.askNumbers(sold),
        words.noNumbers,
        words.askFix(count),
        words.nothingCorrected(count),
        words.correctionTooLong,
        words.listTooLong,
        words.unread(count, count),
        words.readingCaption,
      ]
      for (const text of texts) readAsTelegram(text, 'text', 1_024)
    }),
  )
})
