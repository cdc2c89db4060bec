import { describe, expect, test } from 'vitest'
import { readList } from '../../../src/lists/read-list.ts'
import { priceSnapshot } from '../market.ts'

const ordered = (text: string) =>
  readList(text, priceSnapshot).recipients.map(({ phone, network }) => `${phone} ${network}`)

const names: Record<string, string[]> = {
  MTN: [
    'MTN',
    'MTN UP2U',
    'MTN UP2U bundles',
    'UP2U',
    'MTN Mashup',
    'MTN mash-up',
    'Mashup',
    'MTN Non-Expiry',
    'MTN Master Beneficiary',
    'MTN Group Share',
    'MTN Just4U',
    'MTN Data4All',
    'MTN Kokrokoo',
    'mtn normal',
    'MTN Y’ello',
    'MTN AFA bundle',
    '*MTN DATA*',
    '1. MTN Express',
    'New MTN offers',
    'For MTN Zone only',
  ],
  Telecel: [
    'Telecel',
    'Telecel Group Share',
    'Telecel non-expiry',
    'Telecel Expiry',
    'Vodafone',
    'VODAFONE CASH DATA',
    'Voda bundles',
    'Vodafone X',
    'Vodaphone',
    'Telecell',
    'telecel red',
    'VF',
    'TELECEL GH',
    'Telecel (Vodafone)',
    'Telecel Ghana Limited special offers for everybody today',
    'Vodafone Special:',
  ],
  AirtelTigo: [
    'AT',
    'AT iShare',
    'AT ISHARE',
    'at ishare',
    'iShare',
    'I-Share',
    'AT-iShare',
    'AirtelTigo iShare bundles',
    'AT Sika Kokoo',
    'Airtel Tigo Fuse',
    'At iShare:',
    '🔥 AT iShare 🔥',
    'AT data (non-expiry)',
    'Tigo',
    'Airtel bundles',
    'AT – iShare',
    'AT Premium for Kofi and Ama only',
    'Airtel-Tigo',
  ],
  BigTime: ['BigTime', 'AT BigTime', 'AT Big Time', 'big-time non expiry', 'AT Bigtime bundles'],
}

/** A number of each network, and a size that is sold for it. */
const numbers: Record<string, string> = {
  MTN: '0241234567 5',
  Telecel: '0201234567 5',
  AirtelTigo: '0271234567 5',
  BigTime: '0261234567 5',
}

describe.each(Object.keys(names))('the lines of a list below a heading for %s', (network) => {
  test.each(names[network] ?? [])('are for that network if the heading is “%s”', (heading) => {
    const other = network === 'MTN' ? 'Telecel' : 'MTN'
    const text = `${other}\n${numbers[other]}\n${heading}\n${numbers[network]}`
    expect(ordered(text)).toEqual([
      `${numbers[other]?.slice(0, 10)} ${other}`,
      `${numbers[network]?.slice(0, 10)} ${network}`,
    ])
    // Under this heading, a number with the other network's prefix leads to a question.
    const { questions } = readList(`${text}\n${numbers[other]?.replace('567', '568')}`, priceSnapshot)
    expect(questions).toMatchObject([{ kind: 'contradiction', network, whom: [{ lines: [5] }] }])
  })
})

describe('a list’s heading that names no known network', () => {
  test.each(['Glo', 'Glo bundles', 'Expresso data', 'Special bundle', 'Xpress Package', 'Night offers'])(
    'ends the heading above and leads to a question: “%s”',
    (heading) => {
      const text = `MTN\n0241234567 5\n${heading}\n0241234568 5\n0201234567 5`
      const { recipients, questions } = readList(text, priceSnapshot)
      expect(recipients.map(({ line }) => line)).toEqual([2])
      expect(questions).toMatchObject([{ kind: 'heading', heading, whom: [{ lines: [4] }, { lines: [5] }] }])
      const key = `heading:${heading}`
      expect(readList(text, priceSnapshot, { [key]: 'Telecel' }).questions).toMatchObject([
        { kind: 'contradiction', network: 'Telecel', whom: [{ phone: '0241234568' }] },
      ])
      expect(readList(text, priceSnapshot, { [key]: 'drop' }).counts).toMatchObject({ ready: 1, fix: 0 })
    },
  )

  test.each(['Kofi Mensah', 'Kofi:', 'Hello', 'Good morning'])(
    'is not seen in “%s”, and the network above applies',
    (line) => {
      expect(ordered(`MTN\n0241234567 5\n${line}\n0241234568 5`)).toEqual([
        '0241234567 MTN',
        '0241234568 MTN',
      ])
    },
  )

  test.each(['Special bundle', 'Bundles for my shop'])(
    'is not seen in “%s” if no network is named above',
    (line) => {
      expect(ordered(`${line}\n0241234567 5\n0201234567 5`)).toEqual(['0241234567 MTN', '0201234567 Telecel'])
    },
  )

  test('is not seen in a name with digits', () => {
    expect(ordered('MTN\nKofi2\n0241234567 5')).toEqual(['0241234567 MTN'])
  })
})
