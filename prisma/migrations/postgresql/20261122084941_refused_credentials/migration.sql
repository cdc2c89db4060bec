-- AlterTable
ALTER TABLE "Account" ADD COLUMN     "refusalToldAt" TIMESTAMP(3),
ADD COLUMN     "verifyAt" TIMESTAMP(3);
