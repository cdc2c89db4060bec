import type { Bundle } from '../../provider/bundle.ts'
import type { Pesewas } from '../../provider/money.ts'

/** A bundle as its buyer sees it: the price is null if they see none. */
export type ListedBundle = Omit<Bundle, 'pricePesewas'> & { pricePesewas: Pesewas | null }
