/ == determinant
det:{[m]$[1=count m;first first m;sum((count m)#1 -1)*m[0]*.z.s each{[m;j]m[;(til 1+count m)except j]}[1_m]each til count m]}
-1 string det(2 0 1;1 3 2;1 1 1);
-1 string det(3 8;4 6);
-1 string det(1 2 3 4;5 6 7 9;2 6 4 8;3 1 1 2);
/ == inverse
/ Gauss-Jordan by hand against inv.
m:(4 7 2f;3 6 1f;2 5 3f)
elim:{[a;k]p:a[k]%a[k;k];a:{[p;k;r]r-p*r k}[p;k]each a;a[k]:p;a}
byhand:{n:count x;n _'(elim/[x,'`float$i=\:i:til n;til n])}
-1 string all raze 1e-9>abs(byhand m)-inv m;
-1 " "sv'.Q.f[4]''[byhand m];
-1 " "sv'string 1e-9>abs(m mmu inv m)-`float$i=\:i:til 3;
/ == transpose
m:3 4#til 12
-1 " "sv'string flip m;
-1 " "sv string raze flip reverse m;
-1 string m~flip flip m;
-1 " "sv string sum each flip m;
/ == spiral
spiral:{r:();while[count x;r,:first x;x:reverse flip 1_x];r}
-1 " "sv string spiral 4 5#1+til 20;
-1 " "sv string spiral 3 3#1+til 9;
/ == life
life:{[b]n:sum{[b;i]i[0]rotate i[1]rotate'b}[b]each(cross[-1 0 1;-1 0 1])except enlist 0 0;(n=3)|b&n=2}
g:8 8#0b
g:.[g;(0 1 2;2);:;1b]
g[1;0]:1b;g[2;1]:1b;g[0;2]:0b
-1 ".#"@life/[5;g];
-1 string sum raze life/[20;g];
/ == shortest
/ Floyd-Warshall: min-plus products until nothing changes.
w:6 6#0W
e:((0;1;7);(0;2;9);(0;5;14);(1;2;10);(1;3;15);(2;3;11);(2;5;2);(3;4;6);(4;5;9))
w:{.[.[x;y 0 1;:;y 2];y 1 0;:;y 2]}/[w;e]
w:{[w;i].[w;(i;i);:;0]}/[w;til 6]
mp:{[a]{[a;r]min{$[x=0W;count[y]#0W;?[y=0W;0W;x+y]]}'[r;a]}[a]each a}
-1 " "sv'string mp/[w];
/ == convolution
conv:{[x;y]n:count[x]+count[y]-1;sum{[n;v;i;s]n#(i#0),(s*v),n#0}[n;y]'[til count x;x]}
-1 " "sv string conv[1 2 3;0 1 5 2];
-1 " "sv string{conv[x;1 1]}/[6;enlist 1];
/ == primes
sieve:{b:x#1b;b[0 1]:0b;i:2;while[x>i*i;if[b i;b[(i*i)+i*til 1+((x-1)-i*i)div i]:0b];i+:1];where b}
-1 string count sieve 10000;
-1 " "sv string -5#sieve 1000;
factor:{r:();p:2;while[x>1;$[0=x mod p;[r,:p;x:x div p];p+:1]];r}
-1 " "sv string factor 360360;
-1 string{all 1_0<x mod/:2_til x}each 2 9 13;
/ == gcd
gcd:{$[y=0;x;.z.s[y;x mod y]]}
-1 string gcd[1071;462];
-1 string gcd/[48 180 36];
lcm:{(x*y)div gcd[x;y]}
-1 string lcm/[1+til 20];
/ == collatz
c:{-1+count{$[x mod 2;1+3*x;x div 2]}\[1<;x]}
-1 string c each 1 2 7 27 97;
-1 string first idesc c each til[1000];
/ == fibonacci
-1 " "sv string 10{x,sum -2#x}/1 1;
-1 string first{(x 1;sum x)}/[90;0 1];
-1 string sum{x where 0=x mod 2}{x,sum -2#x}/[{4000000>sum -2#x};1 2];
/ == bits
-1 raze string 8#0b vs 0x5a;
-1 string 0b sv 00000101b;
-1 string 2 sv 1 0 1 1;
-1 raze string 2 vs 37;
popcount:{sum 0b vs x}
-1 string popcount each 0 1 255 1023j;
xor:{0b sv(0b vs x)<>0b vs y}
-1 string xor[12;10];
-1 string 60 60 sv 2 30;
-1 " "sv string 24 60 60 vs 86399;
gray:{xor[x;x div 2]}
-1 " "sv string gray each til 8;
/ == pascal
-1 {" "sv string x}each{(x,0)+0,x}\[5;enlist 1];
/ == perfect
divs:{d where 0=x mod d:1_til x}
-1 " "sv string{x where x=sum each divs each x}2_til 500;
amic:{[n]a where(a<b)&(a=sum each divs each b)&a<>b:sum each divs each a:2_til n}
-1 " "sv string amic 300;
/ == newton
-1 .Q.f[8]{x-((x*x)-2)%2*x}/[1f];
-1 string count{x-((x*x)-2)%2*x}\[1f];
-1 .Q.f[6]{[f;a;b]h:(b-a)%1000;h*sum f a+h*.5+til 1000}[{x*x};0;3];
-1 .Q.f[6]last{x+.01*neg x}\[100;1f];
/ == statistics
x:2 4 4 4 5 5 7 9f;y:1 3 2 5 4 6 8 9f
-1 .Q.f[6]each(avg x;med x;dev x;var x;sdev x;svar x;x cov y;x cor y;x scov y);
-1 .Q.f[6]each{[x;y]b:(x cov y)%var x;(b;(avg y)-b*avg x)}[x;y];
-1 .Q.f[6]each raze(enlist y)lsq(x;count[x]#1f);
-1 " "sv'.Q.f[4]''[(x;y;reverse x)cor/:\:(x;y;reverse x)];
/ == quantiles
pct:{[p;x]x:asc x;i:p*-1+count x;l:floor i;x[l]+(i-l)*0^x[l+1]-x l}
v:7 15 36 39 40 41f
-1 .Q.f[4]each pct[;v]each 0 .25 .5 .75 .9 1;
-1 " "sv string 4 xrank til 10;
-1 " "sv string(0 10 20 30)bin 5 10 29 35 -1;
/ == moving
p:1 2 4 8 16 32f
-1 {" "sv .Q.f[4]each x}each(3 mavg p;3 msum p;3 mmax p;3 mmin p;3 mdev p;.5 ema p;sums p;deltas p;1_ratios p;avgs p);
