-- AlterTable
ALTER TABLE "Order" ADD COLUMN     "otherReference" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "Order_otherReference_idx" ON "Order"("otherReference");
