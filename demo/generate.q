/ A sample database of trades and quotes: qolumn demo/generate.q FOLDER [TRADES QUOTES DAYS]
/ Every day is written as a partition, parted by sym. Prices walk at random, quotes lie around them.

folder:hsym `$first .z.x
size:"J"$1_.z.x
trades:$[0<count size;size 0;500000]
quotes:$[1<count size;size 1;2000000]
days:$[2<count size;size 2;3]

syms:`AAPL`AMD`AMZN`BAC`CSCO`DELL`GOOG`IBM`INTC`JPM`KO`META`MSFT`NFLX`NVDA`ORCL`PFE`TSLA`WMT`XOM
base:syms!184 138 150 34 50 76 139 161 47 170 59 347 371 469 482 103 29 248 53 102f

/ x prices of one symbol, from its base, in cents
walk:{[sym;x] 0.01*floor 0.5+100*base[sym]*exp sums 2e-4*-0.5+x?1f}

/ x times of one session, in order
session:{[x] asc 0D09:30+x?0D06:30}

maketrade:{[n]
  t:([]time:session n;sym:n?syms;price:n#0f;size:100*1+n?50;ex:n?"NQPZ");
  update price:walk[first sym;count sym] by sym from t}

makequote:{[n]
  t:([]time:session n;sym:n?syms;bid:n#0f;ask:0.01*1+n?4;bsize:100*1+n?20;asize:100*1+n?20);
  update ask:bid+ask from update bid:walk[first sym;count sym] by sym from t}

write:{[date]
  trade::maketrade trades;
  quote::makequote quotes;
  .Q.dpft[folder;date;`sym]each `trade`quote;
  -1 string[date]," ",string[count trade]," trades, ",string[count quote]," quotes"; }

write each days#2024.01.02+til 365;
exit 0
