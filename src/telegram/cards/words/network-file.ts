import { foreignWord, oneLine } from '../../chat/screen.ts'
import { b, counted, grouped, lines } from '../../words/markup.ts'

/** Words about the file that a network's own portal takes. */

/** The columns of the network's template, with its own headings. */
export const headings = [
  'Beneficiary Msisdn',
  'Beneficiary Name',
  'Voice(Minutes)',
  'Data (MB) (1024MB = 1GB)',
  'Sms(Unit)',
]

export const widths = [18, 18, 14, 24, 10]

export const sheetName = 'Upload'

export const fileName = (network: string) => `${network.replace(/[^A-Za-z0-9]/g, '') || 'network'}-upload`

/** The label of a button. Plain text. */
export const fileLabel = ([only = '', another]: readonly string[]) =>
  another === undefined ? `📄 ${oneLine(only, 16)}’s own file` : '📄 The networks’ own files'

/** The label of a button that orders the numbers of the file here after all. Plain text. */
export const putBackLabel = (count: number) => `↩️ Put ${grouped(count)} back`

export const fileCaption = (network: string, count: number) =>
  lines(
    `${b(foreignWord(network))}: ${counted(count, 'number', 'numbers')}, in the network’s own upload format.`,
    count === 1
      ? 'Nothing was ordered. I’ve left this number out of your list here, so it doesn’t get data twice. If you don’t upload this file, put it back with the button on the list.'
      : 'Nothing was ordered. I’ve left these numbers out of your list here, so nobody gets data twice. If you don’t upload this file, put them back with the button on the list.',
  )
