/ == hanoi
hanoi:{[n;a;b;c]$[n=0;();.z.s[n-1;a;c;b],enlist[(a;c)],.z.s[n-1;b;a;c]]}
m:hanoi[3;`A;`B;`C]
-1{"->"sv string x}each m;
-1 string count hanoi[10;`A;`B;`C];
/ == permutations
perm:{$[1>=count x;enlist x;raze{[f;x;y]y,/:f x except y}[.z.s;x]each x]}
-1 perm"abc";
-1 string count perm til 6;
-1 string sum perm[til 5]~'asc perm til 5;
comb:{[n;k]$[k=0;enlist 0#0;n<k;();comb[n-1;k],comb[n-1;k-1],\:n-1]}
-1" "sv'string asc comb[5;3];
-1 string count distinct(neg 4)#'0b vs/:til 16;
/ == queens
ok:{[b;c]not any(b=c)|(abs b-c)=reverse 1+til count b}
place:{[n;bs]raze{[n;b]b,/:{y where ok[x]each y}[b;til n]}[n]each bs}
-1 string count each{place[x]/[x;enlist 0#0]}each 4 5 6 7;
-1" "sv'string place[6]/[6;enlist 0#0];
/ == sudoku
g:"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
r:til[81]div 9;c:til[81]mod 9;b:(3*r div 3)+c div 3
free:{[g;i].Q.n[1+til 9]except g where(r=r i)|(c=c i)|b=b i}
solve:{[g]e:where g=".";if[0=count e;:g];f:free[g]each e;i:e j:first iasc count each f;
  k:f j;n:0;s:"";while[(n<count k)&0=count s;s:.z.s @[g;i;:;k n];n+:1];s}
-1@9 cut solve g;
/ == knapsack
w:12 2 1 4 1;v:4 2 1 10 2
step:{[t;i]t|(count t)#(w[i]#0),v[i]+t}
-1 string last step/[16#0;til count w];
coins:{[t;c]i:c;while[i<count t;t[i]+:t i-c;i+:1];t}
-1 string last(1,100#0)coins/1 5 10 25 50;
lis:{{$[count[x]=i:x binr y;x,y;@[x;i;:;y]]}/[0#0;x]}
-1 string count lis 10 9 2 5 3 7 101 18;
/ == quicksort
qs:{$[2>count distinct x;x;[p:first x;(.z.s x where x<p),(x where x=p),.z.s x where x>p]]}
-1" "sv string qs 3 1 4 1 5 9 2 6 5 3 5;
merge:{$[0=count x;y;0=count y;x;x[0]<=y 0;(1#x),.z.s[1_x;y];(1#y),.z.s[x;1_y]]}
ms:{$[2>n:count x;x;merge . .z.s each(0;n div 2)cut x]}
-1" "sv string ms 3 1 4 1 5 9 2 6 5 3 5;
bubble:{{[x;i]$[x[i]>x i+1;@[x;i+0 1;:;x i+1 0];x]}/[x;til count[x]-1]}
-1" "sv string bubble/[5 1 4 2 8];
/ == ackermann
ack:{$[x=0;y+1;y=0;.z.s[x-1;1];.z.s[x-1;.z.s[x;y-1]]]}
-1 string 2 ack'til 4;
-1 string ack[2;3];
even:{$[x=0;1b;odd x-1]};odd:{$[x=0;0b;even x-1]}
-1 string even each 10 7;
/ == queue
push:{x,enlist y};q:();
q:push/[q;(1;`a;"s")];
-1 string count q;
-1(-3!first q);q:1_q;
-1(-3!q);
josephus:{[n;k]first{[k;x]1_(k-1)rotate x}[k]/[n-1;til n]}
-1 string josephus[41;3];
/ == closures
adder:{[n]{[n;x]x+n}[n]}
-1 string(adder 5)10;
compose:{[f;g]{[f;g;x]f g x}[f;g]}
-1 string compose[neg;adder 1]7;
pipe:{{y x}/[x;y]}
-1 string pipe[3](adder 1;{x*x};neg);
-1 string(('[neg;+])[2;3]);
counter:{[s]s[`n]+:1;s}
-1 string(counter/[7;(1#`n)!1#0])`n;
f:{[a;b;c]a,b,c}
-1 string f[;2;]. 1 3;
-1 string{x[1]-x 0}each flip(1 2 3;10 20 30);
/ == graph
g:`a`b`c`d`e`f!(`b`c;1#`d;`d`e;1#`f;1#`f;0#`)
reach:{distinct x,raze g x}
-1" "sv string reach/[`b];
paths:{[a;b]$[a=b;enlist 1#b;raze{[a;b;n]a,/:paths[n;b]}[a;b]each g a]}
-1"-"sv'string paths[`a;`f];
levels:{{distinct raze g x}\[count;1#x]}
-1{" "sv string x}each -1_levels`a;
topo:{[g]o:0#`;while[count g;n:key[g]except raze value g;o,:n;g:n _ g];o}
-1" "sv string topo g;
/ == json
d:`name`tags`n`ok`sub!("Ann";(1#"x";1#"y");3;1b;`a`b!1 2)
-1 .j.j d;
r:.j.k .j.j d
-1 r`name;
-1 string r[`sub]`b;
-1 string type r`n;
t:([]a:1 2;b:("p";"q"))
-1 .j.j t;
-1 .j.j flip .j.k .j.j t;
-1 string sum(.j.k"[{\"x\":1.5},{\"x\":2}]")`x;
