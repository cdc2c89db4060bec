/** The colours, fonts and measures that all pictures share. Lengths are in pixels of a picture 1080 wide. */
export const width = 1080

/**
 * Telegram shrinks a photo until its longer side has 1,280 pixels. If a picture were more than 1.5 times as high as
 * wide, its letters would then be too small to read.
 */
export const maxHeight = 1620

/** The height of a picture that fills a phone's screen, like WhatsApp statuses and Telegram stories. */
export const statusHeight = 1920

/** The space between a picture's edge and its content. */
export const margin = 56

/** The name under which `renderer.ts` registers the font files. */
export const family = 'Inter'

/** The font's files, one for each of the weights below, as paths within packages. */
export const fontFiles = ['Medium', 'Bold', 'ExtraBold'].map((name) => `inter-ui/web/Inter-${name}.woff2`)

export const weights = { text: 500, strong: 700, heavy: 800 } as const

/**
 * The colours of all pictures: `night` is the dark heading, `good`, `open` and `bad` are statuses, `spend` and
 * `profit` are bars.
 */
export const ink = {
  page: '#F3F5F9',
  card: '#FFFFFF',
  line: '#E3E8F0',
  dark: '#101828',
  soft: '#667085',
  night: '#0F1B33',
  onNight: '#FFFFFF',
  softOnNight: '#A9B7D0',
  good: '#067647',
  goodField: '#D9F5E5',
  open: '#93540A',
  openField: '#FEF0C7',
  bad: '#B42318',
  badField: '#FEE4E2',
  spend: '#3B6FE0',
  profit: '#12A36B',
} as const

/** The colours of a heading. A test checks that both kinds of letters are readable on the field (WCAG AA). */
interface HeadingColours {
  field: string
  letters: string
  softLetters: string
}

export const accents = {
  dark: { field: ink.night, letters: ink.onNight, softLetters: ink.softOnNight },
  blue: { field: '#1D4ED8', letters: '#FFFFFF', softLetters: '#DBE4FF' },
  green: { field: '#0B5D3B', letters: '#FFFFFF', softLetters: '#BFE3D1' },
  purple: { field: '#5B21B6', letters: '#FFFFFF', softLetters: '#DDD0F7' },
  red: { field: '#A31621', letters: '#FFFFFF', softLetters: '#F9D5D8' },
  brown: { field: '#7A3E10', letters: '#FFFFFF', softLetters: '#F5DDC8' },
} as const satisfies Record<string, HeadingColours>

export type Accent = keyof typeof accents

/** The heading colours, in the order in which the bot offers them. */
export const accentNames = [
  'dark',
  'blue',
  'green',
  'purple',
  'red',
  'brown',
] as const satisfies readonly Accent[]

/** Used by shops that have not chosen a colour. */
export const usualAccent: Accent = 'dark'

interface NetworkColours {
  field: string
  letters: string
  /** The colour of the field's edge, for brands that have a second colour. */
  accent: string
}

const brands = new Map<string, NetworkColours>([
  ['mtn', { field: '#FFCB05', letters: '#14181F', accent: '#FFCB05' }],
  ['telecel', { field: '#E30613', letters: '#FFFFFF', accent: '#E30613' }],
  ['airteltigo', { field: '#15479E', letters: '#FFFFFF', accent: '#EC1C2E' }],
  ['bigtime', { field: '#5B2A9D', letters: '#FFFFFF', accent: '#F59E0B' }],
])

const unknownBrand: NetworkColours = { field: '#344054', letters: '#FFFFFF', accent: '#344054' }

/** The colours of a network's brand. @param network the network's name in the API */
export const coloursOf = (network: string): NetworkColours =>
  brands.get(network.toLowerCase().replace(/[^a-z]/g, '')) ?? unknownBrand
