import { expect, test } from 'vitest'
import { dayPicture } from '../../../../src/pictures/day.ts'
import { pesewas } from '../../../../src/provider/money.ts'
import type { DayClose } from '../../../../src/shop/day-close.ts'
import type { Tally } from '../../../../src/shop/tally.ts'
import * as words from '../../../../src/telegram/features/selling/day-words.ts'
import { textsIn } from '../../../pictures/source.ts'
import { now } from '../../words/any-order.ts'
import { testTexts, type Values, type Wording } from '../../words/wording.ts'

const closedOf = ({ money, count, flag }: Values): DayClose => ({
  openingPesewas: money,
  topUpsPesewas: money,
  chargesPesewas: money,
  charges: count,
  refundsPesewas: money,
  closingPesewas: money,
  unexplainedPesewas: flag ? money : pesewas(0),
  gaps: flag
    ? [
        { at: now, pesewas: pesewas(-70) },
        { at: null, pesewas: money },
      ]
    : [],
  differencePesewas: money,
})

const tallyOf = ({ money, count, flag }: Values): Tally => ({
  ordered: count,
  delivered: count,
  failed: 0,
  open: count,
  unconfirmed: 0,
  notKnown: 0,
  spentPesewas: money,
  maybePesewas: money,
  refundedPesewas: money,
  salesPesewas: money,
  costPesewas: money,
  profitPesewas: pesewas(-300),
  unpriced: flag ? count : 0,
  unseen: 0,
  networks: [],
  medianSeconds: null,
})

const wording: Wording<typeof words> = {
  dayClosed: (each) => words.dayClosed(closedOf(each), tallyOf(each), '2026-11-21'),
}

testTexts(words, wording, { others: ['dayPictureOf'] })

test('the picture of a day shows each line of its text', () => {
  const values = { money: pesewas(465), count: 3, flag: false } as Values
  const drawn = textsIn(
    dayPicture(words.dayPictureOf(closedOf(values), tallyOf(values), 'Ama Data', '2026-11-21')),
  )
  for (const text of ['Ama Data', 'Opening balance', '= Closing balance', 'GHS 4.65', 'Profit', '–GHS 3.00'])
    expect(drawn).toContain(text)
})
