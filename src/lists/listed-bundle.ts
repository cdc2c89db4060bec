import type { Bundle } from '../provider/bundle.ts'
import type { Pesewas } from '../provider/money.ts'

/** A bundle as whoever orders it sees it: its price is null where they see none. */
export type ListedBundle = Omit<Bundle, 'pricePesewas'> & { pricePesewas: Pesewas | null }
