import { describe, expect, test } from 'vitest'
import { mergeCorrections } from '../../src/lists/correction.ts'
import { readList } from '../../src/lists/list.ts'
import { market as plainMarket } from './market.ts'

/** Numbers that were ported to Telecel, and served there before. */
const served = { '0241234567': ['Telecel'], '0241234568': ['Telecel'] }
const market = { ...plainMarket, served }

const merged = (text: string, correction: string) => {
  const whole = mergeCorrections(text, correction, market)
  const { recipients, lines } = readList(whole, market)
  return {
    text: whole,
    recipients: recipients.map(
      ({ line, phone, volume, network }) => `${line}: ${phone} ${volume} ${network}`,
    ),
    verdicts: lines.map(({ verdict }) => verdict.charAt(0)).join(''),
  }
}

describe('by the line’s number', () => {
  test.each([
    '2. 0551234567 10',
    '2: 0551234567 10gb',
    '2) 0551234567 10',
    '#2: 0551234567 10',
    '2 - 0551234567 10',
  ])('%s', (correction) => {
    expect(merged('0241234567 5\n055123456 10\n0201234567 2', correction).recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
  })

  test('only of lines that are to fix; else it numbers the line', () => {
    expect(merged('0241234567 5\n0551234567 7', '1. 0201234567 2').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
  })

  test('or, where nothing is to fix there, by the number that was written in front of the line', () => {
    const text = 'Good morning\n1. 0241234567 5\n2. 055123456 10\n3. 0201234567 2'
    expect(merged(text, '2. 0551234567 10').recipients).toEqual([
      '2: 0241234567 5GB MTN',
      '3: 0551234567 10GB MTN',
      '4: 0201234567 2GB Telecel',
    ])
    const twice = '0241234567 5\n\n2) 055123456 10\n2) 020123456 2'
    expect(merged(twice, '2. 0551234567 10').text.startsWith(twice)).toBe(true)
  })

  test('a number that stands on another line to fix means that line', () => {
    const text = 'Good morning\n1. 0241234567 5\n2. 055123456 10\n3. 0201234567 7'
    expect(merged(text, '3. 0201234567 2')).toMatchObject({ verdicts: 'irfr' })
  })

  test('a size alone is for the number that stands there, on the network that was named', () => {
    expect(merged('0241234567 7 telecel', '1: 5gb').recipients).toEqual(['1: 0241234567 5GB Telecel'])
    expect(merged('Telecel\n0241234567 7', '2: 5').recipients).toEqual(['2: 0241234567 5GB Telecel'])
  })

  test('a network alone is for the number and the size that stand there', () => {
    expect(merged('0271234567 5', '1: bigtime').recipients).toEqual(['1: 0271234567 5GB BigTime'])
  })

  test('a size alone changes nothing where no number could be read', () => {
    const text = '024123456 5\n0551234567 10'
    expect(merged(text, '1: 10gb').text).toBe(text)
  })

  test.each(['1: skip', '1. drop', '1: remove'])('%s leaves the line out', (correction) => {
    expect(merged('024123456 5\n0551234567 10', correction)).toMatchObject({
      text: '\n0551234567 10',
      verdicts: 'ir',
    })
  })

  test('the lines below that belonged to it become empty', () => {
    const text = '0270890079\n7gb\nbig time\n0551234567\n10gb\nmtn'
    expect(merged(text, '1: 0270890079 15gb bigtime')).toMatchObject({
      text: '0270890079 15gb bigtime\n\n\n0551234567\n10gb\nmtn',
      recipients: ['1: 0270890079 15GB BigTime', '4: 0551234567 10GB MTN'],
    })
  })

  test('a part of it can be corrected alone', () => {
    expect(merged('0270890079\n7gb\nbig time', '2: 15gb').recipients).toEqual(['1: 0270890079 15GB BigTime'])
  })

  test('lines keep their numbers through several corrections', () => {
    const text = '0241234567 5\n055123456 10\n0201234567 2x2'
    expect(merged(text, '2: 0551234567 10\n3: 0201234567 2').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
      '3: 0201234567 2GB Telecel',
    ])
  })
})

describe('by the phone', () => {
  test('a number that stands alone on a line replaces that line, in its place and under its heading', () => {
    expect(merged('Telecel\n0241234567 7\n0201234567 2', '0241234567 5').recipients).toEqual([
      '2: 0241234567 5GB Telecel',
      '3: 0201234567 2GB Telecel',
    ])
  })

  test('also where the line was ready', () => {
    expect(merged('0241234567 5\n0551234567 10', '+233241234567 10gb').recipients).toEqual([
      '1: 0241234567 10GB MTN',
      '2: 0551234567 10GB MTN',
    ])
  })

  test('several on one line each replace theirs', () => {
    expect(merged('0241234567 7\n0551234567 7', '0241234567 5, 0551234567 10').recipients).toEqual([
      '1: 0241234567 5GB MTN',
      '2: 0551234567 10GB MTN',
    ])
  })

  test('headings of the correction go with its numbers', () => {
    expect(merged('MTN\n0241234567 7\n0551234567 7', 'Telecel\n5gb\n0241234567').recipients).toEqual([
      '2: 0241234567 5GB Telecel',
    ])
  })
})

test('what is new is added at the end, apart from the headings above', () => {
  const { recipients, verdicts } = merged('Telecel\n0201234567 2', '0241234567 5\n0551234567 10')
  expect(recipients).toEqual(['2: 0201234567 2GB Telecel', '3: 0241234567 5GB MTN', '4: 0551234567 10GB MTN'])
  expect(verdicts).toBe('irrr')
})

test('a damaged correction is added, to be fixed', () => {
  expect(merged('0241234567 5', '055123456 10').verdicts).toBe('rf')
})

test('manners and empty lines add nothing', () => {
  expect(merged('0241234567 5', 'sorry, thanks\n\n').text).toBe('0241234567 5')
})

test('corrections of a list of any size take one reading of each', () => {
  const phones = Array.from({ length: 5_000 }, (_, index) => `024${1_000_000 + index}`)
  const text = phones.map((phone) => `${phone} 7`).join('\n')
  const { recipients } = readList(
    mergeCorrections(text, phones.map((phone) => `${phone} 5`).join('\n'), market),
    market,
  )
  expect(recipients).toHaveLength(5_000)
})
