import { describe, expect, test } from 'vitest'
import { linkIn, readReference, referenceIn } from '../../../src/telegram/chat/reference.ts'

const reference = 'BUD-API-AB12CD-123456'

describe('an order’s reference', () => {
  test.each([
    reference,
    'bud-api-ab12cd-123456',
    ' BUD API AB12CD 123456 ',
    'BUD_API_AB12CD_123456',
    'BUD–API—AB12CD-123456.',
    'bud - api - ab12cd - 123456',
  ])('is recognized as people type it: “%s”', (text) => {
    expect(readReference(text)).toBe(reference)
  })

  test.each(['', 'BUD', 'BUD-API-', 'Kofi 5gb', `${reference}\n0241234567 5GB`, `Where is ${reference}?`])(
    'is not recognized in “%s”',
    (text) => {
      expect(readReference(text)).toBeNull()
    },
  )

  test('is found in a text only if the text has no other reference', () => {
    expect(referenceIn(`Receipt\nReference: ${reference}. Thank you!`)).toBe(reference)
    expect(referenceIn(`${reference} ${reference.toLowerCase()}`)).toBe(reference)
    expect(referenceIn(`${reference} or BUD-BULK-AB-1`)).toBeNull()
    expect(referenceIn('no order here')).toBeNull()
    expect(referenceIn(`BUD-API-${'A'.repeat(200)}`)).toBeNull()
  })
})

describe('a link to the bot', () => {
  const link = 'https://t.me/Bundle_bot?start=sAb-1_2'

  test('is found in a forwarded text, and gives the payload after “start=”', () => {
    expect(linkIn(`Follow it here: ${link}`, 'bundle_bot')).toBe('sAb-1_2')
    expect(linkIn('t.me/bundle_bot?start=sAb-1_2', 'bundle_bot')).toBe('sAb-1_2')
    expect(linkIn(`${link} ${link}`, 'bundle_bot')).toBe('sAb-1_2')
  })

  test('is ignored if it leads to another bot, has no payload, or is one of several', () => {
    expect(linkIn(link, 'other_bot')).toBeNull()
    expect(linkIn('https://t.me/bundle_bot?start=', 'bundle_bot')).toBeNull()
    expect(linkIn(`${link} ${link}3`, 'bundle_bot')).toBeNull()
  })
})
