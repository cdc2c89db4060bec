import { expect, test } from 'vitest'
import { whatsAppButtons } from '../../../src/telegram/chat/whatsapp.ts'

test('a WhatsApp button carries the number in international form and the text', () => {
  expect(whatsAppButtons('0241234567', 'MTN 1GB & more')).toMatchObject([
    { url: 'https://wa.me/233241234567?text=MTN%201GB%20%26%20more' },
  ])
})

test('a WhatsApp button without a number lets the person choose', () => {
  expect(whatsAppButtons(null, 'Prices')).toMatchObject([{ url: 'https://wa.me/?text=Prices' }])
})

test('a removed number and a long text have no WhatsApp button', () => {
  expect(whatsAppButtons('removed:1', 'Prices')).toEqual([])
  expect(whatsAppButtons('0241234567', 'x'.repeat(2_000))).toEqual([])
})
