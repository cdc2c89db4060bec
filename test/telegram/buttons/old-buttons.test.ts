import { expect, test } from 'vitest'
import { type Button, decodeButton, encodeButton } from '../../../src/telegram/buttons/button.ts'
import { everyButton, idsOfNothing } from '../../scenarios/every-button.ts'
import { forgedButtons, oldButtons } from './old-buttons.ts'

const kindOf = (button: Button): string => ('act' in button ? `${button.do}:${button.act.act}` : button.do)

test('every button of version 1.0.0 means what it meant', () => {
  expect(oldButtons.map(({ data }) => ({ data, meaning: decodeButton(data) }))).toEqual(oldButtons)
})

test('every button of version 1.0.0 is written as it was', () => {
  expect(oldButtons.map(({ meaning }) => encodeButton(meaning))).toEqual(oldButtons.map(({ data }) => data))
})

test('what version 1.0.0 refused is refused', () => {
  expect(forgedButtons.filter((data) => decodeButton(data) !== null)).toEqual([])
})

/** Kinds that version 1.0.0 did not have. */
const newer = [
  ...['own_number', 'draft:card', 'draft:number', 'draft:size', 'draft:offers', 'draft:other', 'draft:set'],
  ...['list:correct', 'list:excel', 'contacts:export_csv', 'own_file', 'selling:status'],
  ...[
    'shop',
    'shop_phone',
    'no_shop_phone',
    'colours',
    'colour',
    'letter',
    'first_letter',
    'hiding',
    'hiding_of',
    'hide',
    'tiers',
    'tier',
    'set_tier',
    'undo_tier',
  ].map((act) => `selling:${act}`),
  ...['unanswered:again', 'unanswered:drop', 'again_news', 'replace_key'],
  ...['list:accept', 'list:accept_all', 'list:uncorrect'],
  ...['operator:bot_name', 'operator:bot_name_left'],
  ...['list:retry_sure', 'list:doubtful', 'list:references', 'list:references_page'],
]

test('there is an old button of every kind', () => {
  const kinds = new Set([...oldButtons.map(({ meaning }) => kindOf(meaning)), ...newer])
  expect(everyButton(idsOfNothing()).filter((button) => !kinds.has(kindOf(button)))).toEqual([])
})
