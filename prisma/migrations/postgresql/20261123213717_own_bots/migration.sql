-- AlterTable
ALTER TABLE "Bot" ADD COLUMN     "accountId" TEXT COLLATE "C";

-- CreateIndex
CREATE UNIQUE INDEX "Bot_accountId_key" ON "Bot"("accountId");
